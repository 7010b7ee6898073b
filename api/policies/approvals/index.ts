import type { Operation } from '../../http/operation';
import { createApprovalDecision } from './create-approval-decision';
import { getApproval } from './get-approval';
import { listApprovals } from './list-approvals';

export const approvalOperations: readonly Operation[] = [listApprovals, getApproval, createApprovalDecision];
