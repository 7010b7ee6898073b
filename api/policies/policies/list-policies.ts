import { z } from 'zod';
import { listPolicies as list } from '../../../application/policies/policies';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { PolicyStatus, PolicyWithPendingChange } from './schemas';

export const listPolicies = operation({
  id: 'listPolicies',
  method: 'get',
  path: '/v2/policies',
  tag: 'policies',
  summary: 'List the policies of the organisation, newest first',
  description:
    'Returns policies with any status, or only policies with the given `status`. A policy whose update or archival waits for ' +
    'approval carries the change as `pendingChangeRequest`; its other members show the content in force.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({ status: PolicyStatus.optional().describe('Limits the list to policies with this status') }),
  body: z.undefined(),
  response: z.object({
    items: z.array(PolicyWithPendingChange),
    nextPageToken: z.string().optional().describe('Absent on the last page'),
  }),
  handle: async ({ query: { status, limit, paginationToken }, authority }, { db }) => {
    const found = await list(db.read(authority.caller.orgId), { status, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
