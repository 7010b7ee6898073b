import { z } from 'zod';
import { getApproval as get } from '../../../application/approvals/approvals';
import { operation } from '../../http/operation';
import { Approval, ApprovalParams } from './schemas';

export const getApproval = operation({
  id: 'getApproval',
  method: 'get',
  path: '/v2/policy-approvals/:approvalId',
  tag: 'policies',
  summary: 'Read one approval with its decisions',
  description:
    'Returns the activity as it was when approval was requested, the findings of the policies and every vote so far. ' +
    '`explainApproval` returns who can still decide.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Read',
  userAction: false,
  params: ApprovalParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Approval,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.approvalId),
});
