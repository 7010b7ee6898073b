import { z } from 'zod';
import { approvalDigest, decideApproval } from '../../../application/approvals';
import { operation } from '../../http/operation';
import { Approval, ApprovalParams, DecisionValue } from './schemas';

const REASON_LENGTH_MAX = 1000;

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
  body: z.strictObject({ value: DecisionValue, reason: z.string().max(REASON_LENGTH_MAX).optional() }),
  response: Approval,
  commitment: (reader, { approvalId }) => approvalDigest(reader, approvalId),
  handle: ({ params, body, authority }, services) => decideApproval(services, authority, params.approvalId, body),
});
