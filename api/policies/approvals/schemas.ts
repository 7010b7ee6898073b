import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../../domain/approvals';
import { EvaluationContext } from './screening-schemas';

export const ApprovalStatus = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });
const DecisionValue = z.enum(['Approved', 'Denied']);

const REASON_LENGTH_MAX = 1000;
export const Decision = z.strictObject({ value: DecisionValue, reason: z.string().max(REASON_LENGTH_MAX).optional() });

const Snapshot = z.record(z.string(), z.unknown()).describe('As it was when the approval was requested');

const Activity = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('Wallets:Sign'),
      transferRequest: Snapshot.optional(),
      transactionRequest: Snapshot.optional(),
      signatureRequest: Snapshot.optional(),
    })
    .meta({ id: 'ActivityWalletsSign', description: 'Exactly one of the requests is there' }),
  z
    .object({ kind: z.literal('Wallets:IncomingTransaction'), blockchainEvent: Snapshot })
    .meta({ id: 'ActivityWalletsIncomingTransaction' }),
  z.object({ kind: z.literal('Permissions:Modify'), changeRequest: Snapshot }).meta({ id: 'ActivityPermissionsModify' }),
  z.object({ kind: z.literal('Permissions:Assign'), changeRequest: Snapshot }).meta({ id: 'ActivityPermissionsAssign' }),
  z.object({ kind: z.literal('Policies:Modify'), changeRequest: Snapshot }).meta({ id: 'ActivityPoliciesModify' }),
  z
    .object({ kind: z.literal('Registry:Addresses:Modify'), changeRequest: Snapshot })
    .meta({ id: 'ActivityRegistryAddressesModify' }),
  z
    .object({ kind: z.literal('Registry:ContractSchemas:Modify'), changeRequest: Snapshot })
    .meta({ id: 'ActivityRegistryContractSchemasModify' }),
  z.object({ kind: z.literal('Keys:Export'), changeRequest: Snapshot }).meta({ id: 'ActivityKeysExport' }),
  z.object({ kind: z.literal('Keys:Import'), changeRequest: Snapshot }).meta({ id: 'ActivityKeysImport' }),
  z.object({ kind: z.literal('Keys:Delegate'), changeRequest: Snapshot }).meta({ id: 'ActivityKeysDelegate' }),
  z.object({ kind: z.literal('Organizations:Modify'), changeRequest: Snapshot }).meta({ id: 'ActivityOrganizationsModify' }),
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
