import type { Operation } from '../../http/operation';
import { createApprovalDecision } from './create-approval-decision';
import { createApprovalDecisions } from './create-approval-decisions';
import { explainApproval } from './explain-approval';
import { getApproval } from './get-approval';
import { getApprovalEvidence } from './get-approval-evidence';
import { listApprovals } from './list-approvals';
import { withdrawApproval } from './withdraw-approval';

export const approvalOperations: readonly Operation[] = [
  listApprovals,
  getApproval,
  getApprovalEvidence,
  createApprovalDecision,
  createApprovalDecisions,
  withdrawApproval,
  explainApproval,
];
