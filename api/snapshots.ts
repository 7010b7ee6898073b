import { z } from 'zod';
import { CHANGES, type ChangeKind } from '../domain/change-requests';
import { invariant } from '../domain/errors';
import { EVENT_KINDS, type EventKind } from '../domain/events';
import type { ChangeActivityKind } from '../domain/policies';
import { AddressWatch } from './address-watches/schemas';
import { AUDIT_DATA } from './auth/audit-logs/schemas';
import { Freeze, FreezeChangeRequest } from './freezes/schemas';
import type { SnapshotForms } from './http/snapshots';
import { KeyDelegationChangeRequest, KeyExportChangeRequest, KeyImportChangeRequest } from './key-schemas';
import { FleetGroup } from './key-stores/fleets/schemas';
import { Key, KeyStoreSnapshot } from './keys/schemas';
import { AddressWatchBlockchainEvent, BlockchainEvent } from './movement-schemas';
import { Amendment } from './organizations/authority/schemas';
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

function changesOf(activity: ChangeActivityKind): z.ZodType {
  const kinds = Object.entries(CHANGE_REQUESTS).filter(([kind]) => CHANGES[kind as ChangeKind].activity === activity);
  const [first, ...further] = kinds.map(([, schema]) => schema);
  invariant(first, `${activity} is the activity of a change`);
  return further.length === 0 ? first : z.discriminatedUnion('kind', [first, ...further]);
}

const PolicyEvaluationEvent = z
  .object({
    id: z.string(),
    triggered: z.boolean().describe('Always true, because only policies that triggered are reported'),
    reason: z.string().describe('Why the rule triggered, as text for people'),
    date: z.iso.datetime().describe('When the activity was judged'),
    policy: Policy,
    activity: Activity,
    context: EvaluationContext.optional(),
  })
  .meta({
    id: 'PolicyEvaluationEvent',
    description: 'The finding of a policy about an activity; policy and activity are shown as they were at the judgement',
  });

/** `WebhookEvent` and the deliveries refer to the same schemas, so each schema is written once and has an id. */
const WalletData = z.object({ wallet: Wallet }).meta({ id: 'WalletEventData' });
const KeyData = z.object({ key: Key }).meta({ id: 'KeyEventData' });
const FreezeData = z.object({ freeze: Freeze }).meta({ id: 'FreezeEventData' });
const KeyStoreData = z.object({ keyStore: KeyStoreSnapshot }).meta({ id: 'KeyStoreEventData' });
const FleetGroupData = z.object({ fleetGroup: FleetGroup }).meta({ id: 'FleetGroupEventData' });
const AmendmentData = z.object({ amendment: Amendment }).meta({ id: 'AmendmentEventData' });
const ApprovalData = z.object({ approval: Approval }).meta({ id: 'ApprovalEventData' });
const TransferData = z.object({ transferRequest: TransferRequest }).meta({ id: 'TransferEventData' });
const TransactionData = z.object({ transactionRequest: TransactionRequest }).meta({ id: 'TransactionEventData' });
const SignatureData = z.object({ signatureRequest: SignatureRequestSnapshot }).meta({ id: 'SignatureEventData' });

const MovementData = z
  .object({ blockchainEvent: BlockchainEvent, wallet: Wallet.optional().describe('The wallet at the time of the event') })
  .meta({ id: 'BlockchainEventData' });

const WatchedEventData = z
  .object({ blockchainEvent: AddressWatchBlockchainEvent, addressWatch: AddressWatch })
  .meta({ id: 'WatchedAddressEventData' });

const WalletTagsData = WalletData.extend({ tagsAdded: z.array(z.string()), tagsRemoved: z.array(z.string()) }).meta({
  id: 'WalletTagsEventData',
});

const UnreachableApprovalData = ApprovalData.extend({
  unreachableGroups: z
    .array(
      z.object({
        group: z.int().describe('The index of the group in the approval, from 0'),
        name: z.string().nullable().describe('Null if the group has no name'),
        quorum: z.int(),
        most: z.int().describe('The maximum number of approvals that the group can still reach'),
      }),
    )
    .describe('Groups whose quorum the remaining approvers cannot reach'),
}).meta({ id: 'UnreachableApprovalEventData' });

const ActivityData = z
  .object({
    status: z
      .enum(['Cleared', 'Blocked'])
      .describe('`Blocked` if a policy or an approver ended the activity; `Cleared` if it continued, even if it failed later'),
    activity: Activity,
    approvalId: z.string().optional().describe('The latest approval that the activity waited for; absent if none was needed'),
  })
  .meta({ id: 'ActivityEventData' });

const RetryData = z
  .object({
    webhookEvent: z
      .object({
        id: z.string().describe('The ID of the failed attempt, which is the first attempt'),
        webhookId: z.string().describe('The webhook whose delivery failed'),
        kind: z.enum(EVENT_KINDS).describe('The kind of the event that was not delivered'),
        date: z.iso.datetime().describe('When the event happened'),
        status: z.string().describe('HTTP status of the receiver as text, or the code of the failure that prevented a response'),
        nextAttemptDate: z.iso.datetime().optional().describe('When the next attempt is due'),
      })
      .describe('The delivery that failed and is retried'),
  })
  .meta({ id: 'WebhookRetryEventData' });

const EVENTS: Readonly<Record<EventKind, z.ZodType>> = {
  'wallet.created': WalletData,
  'wallet.delegated': WalletData,
  'wallet.exported': WalletData,
  'wallet.tags.modified': WalletTagsData,
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
  'wallet.signature.confirmed': SignatureData,
  'wallet.signature.reversed': SignatureData,
  'wallet.signature.failed': SignatureData,
  'wallet.signature.rejected': SignatureData,
  'wallet.blockchain_event.transfer.included': MovementData,
  'wallet.blockchainevent.detected': MovementData,
  'wallet.blockchain_event.transfer.reversed': MovementData,
  'address_watch.blockchain_event.transfer.confirmed': WatchedEventData,
  'address_watch.blockchain_event.transfer.reversed': WatchedEventData,
  'address_watch.blockchain_event.misc.confirmed': WatchedEventData,
  'address_watch.blockchain_event.misc.reversed': WatchedEventData,
  'policy.triggered': z.object({ policyEvaluation: PolicyEvaluationEvent }).meta({ id: 'PolicyEvaluationEventData' }),
  'policy.approval.pending': ApprovalData,
  'policy.approval.resolved': ApprovalData,
  'policy.approval.unreachable': UnreachableApprovalData,
  'policy.activity.resolved': ActivityData,
  'key.created': KeyData,
  'key.deleted': KeyData,
  'key.delegated': KeyData,
  'key.exported': KeyData,
  'keyStore.changed': KeyStoreData,
  'freeze.created': FreezeData,
  'freeze.released': FreezeData,
  'charter.amended': AmendmentData,
  'charter.amendment.refused': AmendmentData,
  'fleet.group.created': FleetGroupData,
  'fleet.group.submitted': FleetGroupData,
  'fleet.group.approved': FleetGroupData,
  'fleet.group.rejected': FleetGroupData,
  'fleet.group.canceled': FleetGroupData,
  'fleet.group.due': FleetGroupData,
  'webhook.event.retry.triggered': RetryData,
};

/** The compiler reports a kind of change or event that has no schema in this file. */
export const SNAPSHOTS: SnapshotForms = {
  members: {
    transferRequest: TransferRequest,
    transactionRequest: TransactionRequest,
    signatureRequest: SignatureRequestSnapshot,
    blockchainEvent: BlockchainEvent,
    eventData: z.union([...new Set(Object.values(EVENTS))]),
    auditData: z.union(Object.values(AUDIT_DATA)),
  },
  changesOf,
  events: EVENTS,
};
