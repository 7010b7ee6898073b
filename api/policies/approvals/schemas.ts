import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../../domain/approvals';

export const ApprovalStatus = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });
export const DecisionValue = z.enum(['Approved', 'Denied']);

const Activity = z
  .object({ kind: z.literal('Wallets:Sign'), transferRequest: z.record(z.string(), z.unknown()) })
  .meta({ id: 'ActivityWalletsSign', description: 'The activity as it was when the approval was requested' });

export const Approval = z
  .object({
    id: z.string(),
    initiatorId: z.string(),
    activity: Activity,
    status: ApprovalStatus,
    expirationDate: z.iso.datetime().optional(),
    dateCreated: z.iso.datetime(),
    dateUpdated: z.iso.datetime(),
    dateResolved: z.iso.datetime().optional(),
    policyEvaluations: z.array(z.object({ policyId: z.string(), triggered: z.boolean(), reason: z.string() })),
    decisions: z.array(
      z.object({ userId: z.string(), date: z.iso.datetime(), value: DecisionValue, reason: z.string().nullable() }),
    ),
  })
  .meta({ id: 'Approval' });

export const ApprovalParams = z.strictObject({ approvalId: z.string().min(1).max(64) });
