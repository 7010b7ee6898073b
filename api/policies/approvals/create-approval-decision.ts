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
