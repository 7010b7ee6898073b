import { z } from 'zod';
import { withdrawApproval as withdraw } from '../../../application/approvals/withdraw-approval';
import { EmptyBody } from '../../../application/bodies/empty';
import { operation } from '../../http/operation';
import { Approval, ApprovalParams } from './schemas';

export const withdrawApproval = operation({
  id: 'withdrawApproval',
  method: 'post',
  path: '/v2/policy-approvals/:approvalId/withdraw',
  tag: 'policies',
  summary: 'Withdraw a held activity that the caller requested',
  description:
    'Only the initiator of the activity may withdraw it, whether or not a group lists that user; any other caller receives ' +
    '`Forbidden` (403). The approval becomes `Denied` without a vote and emits `policy.approval.resolved`; the activity ends ' +
    'as `Rejected` and emits `policy.activity.resolved`. The call returns `ApprovalClosed` (409) if the approval has ended.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  // Only the caller who requested the activity may withdraw it.
  permission: null,
  userAction: true,
  params: ApprovalParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: Approval,
  handle: ({ params, authority }, services) => withdraw(services, authority, params.approvalId),
});
