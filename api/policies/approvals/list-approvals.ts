import { z } from 'zod';
import { listApprovals as list } from '../../../application/approvals/approvals';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { Approval, ApprovalStatus } from './schemas';

const Id = z.string().min(1).max(64);

export const listApprovals = operation({
  id: 'listApprovals',
  method: 'get',
  path: '/v2/policy-approvals',
  tag: 'policies',
  summary: 'List approvals, newest first',
  description:
    'Returns approvals of activities that any user requested, pending and ended; the filters can be combined. `approverId` ' +
    'limits the list to approvals in which the user is an approver at this moment, whether the user may approve or only deny, ' +
    'and whether or not the user has voted.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    status: ApprovalStatus.optional(),
    initiatorId: Id.optional().describe('Limits the list to activities that this user requested'),
    approverId: Id.optional().describe(
      'Limits the list to approvals that this user may decide; approvers from an escalation are included once the escalation ' +
        'has begun',
    ),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(Approval), nextPageToken: z.string().optional().describe('Absent on the last page') }),
  handle: async ({ query, authority }, { db }) => {
    const { status, initiatorId, approverId, limit, paginationToken } = query;
    const page = { status, initiatorId, approverId, after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), page), limit);
    return { items: [...rows], ...next };
  },
});
