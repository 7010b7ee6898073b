import { z } from 'zod';
import { listShadowResults as list, shadowResultView } from '../../../application/backtests/shadow-results';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { PolicyParams } from './schemas';

const ShadowResult = z
  .object({
    activityKind: z.string(),
    activityId: z.string(),
    date: z.iso.datetime(),
    outcome: z.string().describe('The verdict of the policies in force'),
    policyVersion: z.int(),
    triggered: z.boolean(),
    reason: z.string(),
  })
  .meta({ id: 'ShadowResult' });

export const listShadowResults = operation({
  id: 'listShadowResults',
  method: 'get',
  path: '/v2/policies/:policyId/shadow-results',
  tag: 'policies',
  summary: 'List the findings of a policy while it was in `Shadow`, newest first',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: PolicyParams,
  query: PageQuery.extend({ triggered: z.enum(['true', 'false']).optional() }),
  body: z.undefined(),
  response: z.object({ items: z.array(ShadowResult), nextPageToken: z.string().optional() }),
  handle: async ({ params: { policyId }, query: { limit, paginationToken, triggered }, authority }, { db }) => {
    const filter = triggered === undefined ? {} : { triggered: triggered === 'true' };
    const found = await list(db.read(authority.caller.orgId), { policyId, ...filter, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: rows.map((row) => shadowResultView(policyId, row)), ...next };
  },
});
