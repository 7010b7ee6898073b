import { z } from 'zod';
import { decideApproval } from '../../../application/approvals/approvals';
import { commitmentToOne } from '../../../application/approvals/decision-digests';
import { operation } from '../../http/operation';
import { Approval, ApprovalParams, Decision } from './schemas';

export const createApprovalDecision = operation({
  id: 'createApprovalDecision',
  method: 'post',
  path: '/v2/policy-approvals/:approvalId/decisions',
  tag: 'policies',
  summary: 'Approve or deny a held activity',
  description:
    'The caller must be an approver in one of the groups, which were fixed when approval was requested; any other caller ' +
    'receives `Forbidden` (403) with the reason, as does a user who tries to approve but may only deny, such as the initiator ' +
    'or a user whose credential is newer than the request. One denial ends the approval as denied; once every group has its ' +
    'quorum, the approval ends as approved, and the activity is judged again and continues unless the policies in force are ' +
    'stricter. An approval that ends emits `policy.approval.resolved`. The call returns `UserActionInvalid` (403) if the user ' +
    'action does not sign the evidence of the approval, and `UserActionNotSeen` (403) if the charter of the organisation ' +
    'requires that a person sees the evidence before approving, and the person has not seen it. It returns `AlreadyVoted` ' +
    '(409) for a second vote, and `ApprovalClosed` (409) for a vote on an approval that has ended; but if the approval ended ' +
    'because its groups were removed from their policies, the call returns the approval and ignores the vote.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Approve',
  userAction: true,
  params: ApprovalParams,
  query: z.strictObject({}),
  body: Decision,
  response: Approval,
  commitment: (reader, { approvalId }) => commitmentToOne(reader, approvalId),
  handle: ({ params, body, authority }, services) => decideApproval(services, authority, params.approvalId, body),
});
