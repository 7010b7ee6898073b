import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../../domain/approvals';
import { CHANGE_ACTIVITY_KINDS, type ChangeActivityKind } from '../../../domain/policies';
import { changeSnapshot, snapshot } from '../../http/snapshots';
import { EvaluationContext } from './screening-schemas';

export const ApprovalStatus = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });
const DecisionValue = z.enum(['Approved', 'Denied']);

const REASON_LENGTH_MAX = 1000;
export const Decision = z.strictObject({ value: DecisionValue, reason: z.string().max(REASON_LENGTH_MAX).optional() });

const change = (kind: ChangeActivityKind) =>
  z.object({ kind: z.literal(kind), changeRequest: changeSnapshot(kind) }).meta({ id: `Activity${kind.replaceAll(':', '')}` });

export const Activity = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('Wallets:Sign'),
      transferRequest: snapshot('transferRequest').optional(),
      transactionRequest: snapshot('transactionRequest').optional(),
      signatureRequest: snapshot('signatureRequest').optional(),
    })
    .meta({ id: 'ActivityWalletsSign', description: 'Exactly one of the requests is present' }),
  z
    .object({ kind: z.literal('Wallets:IncomingTransaction'), blockchainEvent: snapshot('blockchainEvent') })
    .meta({ id: 'ActivityWalletsIncomingTransaction' }),
  ...CHANGE_ACTIVITY_KINDS.map(change),
]);

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
    policyEvaluations: z.array(
      z.object({ policyId: z.string(), triggered: z.boolean(), reason: z.string(), context: EvaluationContext.optional() }),
    ),
    decisions: z.array(
      z.object({ userId: z.string(), date: z.iso.datetime(), value: DecisionValue, reason: z.string().nullable() }),
    ),
  })
  .meta({ id: 'Approval' });

export const ApprovalParams = z.strictObject({ approvalId: z.string().min(1).max(64) });
