import { z } from 'zod';
import { listShadowResults as list, shadowResultView } from '../../../application/backtests/shadow-results';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { PolicyParams } from './schemas';

const ShadowResult = z
  .object({
    activityKind: z.string(),
    activityId: z.string().describe('Id of the transfer, transaction, signature request, incoming transaction or change request'),
    date: z.iso.datetime().describe('When the activity was judged'),
    outcome: z.string().describe('The verdict of the policies in force: `Cleared`, `Held` or `Blocked`'),
    policyVersion: z
      .int()
      .describe('The version of the policy that was evaluated; every change except a change of names increments it'),
    triggered: z.boolean(),
    reason: z.string().describe('Why the rule triggered or did not trigger, as a sentence for people'),
  })
  .meta({ id: 'ShadowResult' });

export const listShadowResults = operation({
  id: 'listShadowResults',
  method: 'get',
  path: '/v2/policies/:policyId/shadow-results',
  tag: 'policies',
  summary: 'List the findings of a policy while it was in `Shadow`, newest first',
  description:
    'Each activity that was judged while the policy was in `Shadow` has one entry for each of its verdicts. An entry ' +
    'shows the verdict of the policies in force and the finding of this policy. The results stay after the policy is ' +
    'enforced or archived.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: PolicyParams,
  query: PageQuery.extend({
    triggered: z
      .enum(['true', 'false'])
      .optional()
      .describe('If true, only findings in which the rule triggered; if false, only the other findings'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(ShadowResult), nextPageToken: z.string().optional().describe('Absent on the last page') }),
  handle: async ({ params: { policyId }, query: { limit, paginationToken, triggered }, authority }, { db }) => {
    const filter = triggered === undefined ? {} : { triggered: triggered === 'true' };
    const found = await list(db.read(authority.caller.orgId), { policyId, ...filter, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: rows.map((row) => shadowResultView(policyId, row)), ...next };
  },
});
