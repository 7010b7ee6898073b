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
    'The caller must be an approver of one of the groups, which were fixed when approval was requested; any other caller ' +
    'receives `Forbidden` (403) with the reason, and so does a user who tries to approve but may only deny, such as the ' +
    'initiator or a user whose credential is newer than the request. One denial ends the approval as denied; once every ' +
    'group has its quorum, the approval ends as approved, and the activity is judged again and continues unless the ' +
    'policies in force are stricter. An approval that ends emits `policy.approval.resolved`. `UserActionInvalid` (403) is ' +
    'returned if the user action does not sign the evidence of the approval, `UserActionNotSeen` (403) if the charter of ' +
    'the organisation demands that a person who approves has seen the evidence and the person has not, `AlreadyVoted` ' +
    '(409) for a second vote, and `ApprovalClosed` (409) for a vote on an approval that has ended; but an approval that ' +
    'ended because its groups were removed from their policies is returned, and the vote does not count.',
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
