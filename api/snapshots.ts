import { z } from 'zod';
import { CHANGES, type ChangeKind } from '../domain/change-requests';
import { invariant } from '../domain/errors';
import { EVENT_KINDS, type EventKind } from '../domain/events';
import { NETWORK_NAMES } from '../domain/networks';
import type { ChangeActivityKind } from '../domain/policies';
import { Freeze, FreezeChangeRequest } from './freezes/schemas';
import type { SnapshotForms } from './http/snapshots';
import { KeyDelegationChangeRequest, KeyExportChangeRequest, KeyImportChangeRequest } from './key-schemas';
import { Key } from './keys/schemas';
import { OrganizationSettingsChangeRequest } from './organizations/schemas';
import { AssignmentChangeRequest, PermissionChangeRequest } from './permissions/schemas';
import { Activity, Approval } from './policies/approvals/schemas';
import { EvaluationContext } from './policies/approvals/screening-schemas';
import { Policy, PolicyChangeRequest } from './policies/policies/schemas';
import { RegistryAddressChangeRequest } from './registry/addresses/schemas';
import { ContractSchemaChangeRequest } from './registry/contract-schemas/schemas';
import { SignatureRequestSnapshot } from './signature-request-schemas';
import { Wallet } from './wallet-schemas';
import { TransactionRequest } from './wallets/transactions/schemas';
import { TransferRequest } from './wallets/transfers/schemas';

const CHANGE_REQUESTS: Readonly<Record<ChangeKind, z.ZodObject>> = {
  Permission: PermissionChangeRequest,
  Assignment: AssignmentChangeRequest,
  Policy: PolicyChangeRequest,
  Freeze: FreezeChangeRequest,
  Alias: RegistryAddressChangeRequest,
  SmartContract: ContractSchemaChangeRequest,
  KeyExport: KeyExportChangeRequest,
  KeyImport: KeyImportChangeRequest,
  KeyDelegation: KeyDelegationChangeRequest,
  OrganizationSettings: OrganizationSettingsChangeRequest,
};

/** The change requests that policies of this kind judge. */
function changesOf(activity: ChangeActivityKind): z.ZodType {
  const kinds = Object.entries(CHANGE_REQUESTS).filter(([kind]) => CHANGES[kind as ChangeKind].activity === activity);
  const [first, ...further] = kinds.map(([, schema]) => schema);
  invariant(first, `${activity} is the activity of a change`);
  return further.length === 0 ? first : z.discriminatedUnion('kind', [first, ...further]);
}

/** Members of every incoming transaction. */
const incoming = {
  walletId: z.string(),
  direction: z.literal('In'),
  network: z.enum(NETWORK_NAMES),
  blockNumber: z.int(),
  txHash: z.string(),
  index: z.string(),
  timestamp: z.iso.datetime(),
  from: z.string().optional(),
  to: z.string(),
  value: z.string(),
  symbol: z.string().optional(),
  decimals: z.int(),
  metadata: z.object({ asset: z.object({ symbol: z.string().optional(), decimals: z.int() }) }),
};
const BlockchainEvent = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('NativeTransfer'), ...incoming }).meta({ id: 'EventNativeTransfer' }),
    z.object({ kind: z.literal('Erc20Transfer'), contract: z.string(), ...incoming }).meta({ id: 'EventErc20Transfer' }),
  ])
  .meta({ id: 'BlockchainEvent' });

const PolicyEvaluationEvent = z
  .object({
    id: z.string(),
    triggered: z.boolean(),
    reason: z.string(),
    date: z.iso.datetime(),
    policy: Policy,
    activity: Activity,
    context: EvaluationContext.optional(),
  })
  .meta({ id: 'PolicyEvaluationEvent' });

const WalletData = z.object({ wallet: Wallet });
const KeyData = z.object({ key: Key });
const FreezeData = z.object({ freeze: Freeze });
const ApprovalData = z.object({ approval: Approval });
const TransferData = z.object({ transferRequest: TransferRequest });
const TransactionData = z.object({ transactionRequest: TransactionRequest });
const SignatureData = z.object({ signatureRequest: SignatureRequestSnapshot });

const EVENTS: Readonly<Record<EventKind, z.ZodType>> = {
  'wallet.created': WalletData,
  'wallet.delegated': WalletData,
  'wallet.exported': WalletData,
  'wallet.tags.modified': WalletData.extend({
    tagsAdded: z.array(z.string()),
    tagsRemoved: z.array(z.string()),
  }).meta({ id: 'WalletTagsModified' }),
  'wallet.transfer.requested': TransferData,
  'wallet.transfer.broadcasted': TransferData,
  'wallet.transfer.confirmed': TransferData,
  'wallet.transfer.failed': TransferData,
  'wallet.transfer.rejected': TransferData,
  'wallet.transfer.reversed': TransferData,
  'wallet.transaction.requested': TransactionData,
  'wallet.transaction.broadcasted': TransactionData,
  'wallet.transaction.confirmed': TransactionData,
  'wallet.transaction.failed': TransactionData,
  'wallet.transaction.rejected': TransactionData,
  'wallet.transaction.reversed': TransactionData,
  'wallet.signature.requested': SignatureData,
  'wallet.signature.signed': SignatureData,
  'wallet.signature.failed': SignatureData,
  'wallet.signature.rejected': SignatureData,
  'policy.triggered': z.object({ policyEvaluation: PolicyEvaluationEvent }),
  'policy.approval.pending': ApprovalData,
  'policy.approval.resolved': ApprovalData,
  'policy.approval.unreachable': ApprovalData.extend({
    unreachableGroups: z.array(
      z.object({
        group: z.int().describe('Its index among the groups of the approval, from 0'),
        name: z.string().nullable(),
        quorum: z.int(),
        most: z.int().describe('The most approvals it can still reach'),
      }),
    ),
  }).meta({ id: 'ApprovalUnreachable' }),
  'policy.activity.resolved': z
    .object({
      status: z
        .enum(['Cleared', 'Blocked'])
        .describe('Blocked: a policy or an approver ended it; Cleared: it was carried out, or failed for another reason'),
      activity: Activity,
      approvalId: z.string().optional().describe('Absent if no policy requested an approval'),
    })
    .meta({ id: 'ActivityResolved' }),
  'key.created': KeyData,
  'key.deleted': KeyData,
  'key.delegated': KeyData,
  'key.exported': KeyData,
  'freeze.created': FreezeData,
  'freeze.released': FreezeData,
  'webhook.event.retry.triggered': z.object({
    webhookEvent: z
      .object({
        id: z.string().describe('ID of the first attempt, the one that failed'),
        webhookId: z.string().describe('The webhook whose delivery failed'),
        kind: z.enum(EVENT_KINDS).describe('The kind of the event that was not delivered'),
        date: z.iso.datetime().describe('When the event happened'),
        status: z.string().describe('HTTP status of the receiver as text, or the code of the failure that prevented a response'),
        nextAttemptDate: z.iso.datetime().optional(),
      })
      .meta({ id: 'RetriedWebhookEvent' }),
  }),
};

/** The schemas of snapshots from the operations of all areas; a kind of change or event without one does not compile. */
export const SNAPSHOTS: SnapshotForms = {
  members: {
    transferRequest: TransferRequest,
    transactionRequest: TransactionRequest,
    signatureRequest: SignatureRequestSnapshot,
    blockchainEvent: BlockchainEvent,
    eventData: z.union([...new Set(Object.values(EVENTS))]),
  },
  changesOf,
  events: EVENTS,
};
