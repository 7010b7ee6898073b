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
    'The caller must be an approver of one of the groups, which were fixed when approval was requested; otherwise, and for ' +
    'an approval by a user who may only deny, such as the initiator or a user whose credential is newer than the request, ' +
    'the operation returns `Forbidden` (403) with the reason. One denial ends the approval; approvals end it when every ' +
    'group has its quorum, and the activity is then judged again and continues unless the policies in force are stricter. ' +
    'An approval that ends emits `policy.approval.resolved`. The user action must sign the evidence of the approval (`UserActionInvalid`, ' +
    '403, otherwise), a person who approves must have seen the evidence if the charter of the organisation demands it ' +
    '(`UserActionNotSeen`, 403, otherwise), a second vote returns `AlreadyVoted` (409), and a vote on an approval that has ' +
    'ended returns `ApprovalClosed` (409); if it ended because its groups were removed from their policies, the operation ' +
    'returns it without counting the vote.',
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
