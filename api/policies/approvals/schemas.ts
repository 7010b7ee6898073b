import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../../domain/approvals';
import { CHANGE_ACTIVITY_KINDS, type ChangeActivityKind } from '../../../domain/policies';
import { changeSnapshot, snapshot } from '../../http/snapshots';
import { EvaluationContext } from './screening-schemas';

export const ApprovalStatus = z.enum(APPROVAL_STATUSES).meta({
  id: 'ApprovalStatus',
  description:
    '`Denied`: an approver denied the activity, the initiator withdrew it, or the groups were removed from their policies. ' +
    '`Expired`: the time in `autoRejectTimeout` passed first',
});
const DecisionValue = z.enum(['Approved', 'Denied']).meta({ id: 'ApprovalDecisionValue' });

const REASON_LENGTH_MAX = 1000;
export const Decision = z.strictObject({
  value: DecisionValue,
  reason: z.string().max(REASON_LENGTH_MAX).optional().describe('Shown with the vote'),
});

const change = (kind: ChangeActivityKind) =>
  z.object({ kind: z.literal(kind), changeRequest: changeSnapshot(kind) }).meta({ id: `Activity${kind.replaceAll(':', '')}` });

export const Activity = z
  .discriminatedUnion('kind', [
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
  ])
  .meta({ id: 'Activity', description: 'An activity that policies judge, as it was at the judgement' });

export const Approval = z
  .object({
    id: z.string(),
    initiatorId: z.string().describe('The user who requested the activity'),
    activity: Activity,
    status: ApprovalStatus,
    expirationDate: z.iso.datetime().optional().describe('When the approval expires; absent if it never expires'),
    dateCreated: z.iso.datetime(),
    dateUpdated: z.iso.datetime(),
    dateResolved: z.iso.datetime().optional().describe('When the approval ended; absent while it is pending'),
    policyEvaluations: z
      .array(
        z.object({
          policyId: z.string(),
          triggered: z.boolean(),
          reason: z.string().describe('Why the rule triggered or did not trigger, as text for people'),
          context: EvaluationContext.optional(),
        }),
      )
      .describe('One entry for each enforced policy that applies, including policies that did not trigger'),
    decisions: z
      .array(
        z.object({
          userId: z.string(),
          date: z.iso.datetime().describe('When the vote was accepted'),
          value: DecisionValue,
          reason: z.string().nullable().describe('Null if the voter did not give a reason'),
        }),
      )
      .describe('The votes, oldest first'),
  })
  .meta({ id: 'Approval', description: 'The decision by people about an activity that policies hold' });

export const ApprovalParams = z.strictObject({ approvalId: z.string().min(1).max(64) });
