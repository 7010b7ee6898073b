import type { KytAConfiguration, KytAIncomingConfiguration, KytBConfiguration } from './screenings';
import type { TravelRuleConfiguration } from './travel-rules';

/** A permission, and the operation that requests an activity with it. */
export type Way = readonly [permission: string, operationId: string];

type ActivityFacts = {
  /** The rules that judge it: those about assets that leave a wallet or reach it, or the one that always triggers. */
  readonly rules: 'Signing' | 'Incoming' | 'Changes';
  /** The actions that a policy on it may have. */
  readonly actions: 'All' | 'Stopping' | 'Asking' | 'Reporting';
  /** The filters that can narrow its policies. */
  readonly filters: 'Wallets' | 'Permissions' | 'Policies' | 'None';
  /** False for an addition of ours to the published interface. */
  readonly isPublished: boolean;
  /** The operations by which people request it; for changes, change requests list them. */
  readonly ways?: readonly Way[];
};

/** Every activity that policies judge. */
export const ACTIVITIES = {
  'Wallets:Sign': {
    ...{ rules: 'Signing', actions: 'All', filters: 'Wallets', isPublished: true },
    ways: [
      ['Wallets:Transfers:Create', 'transferAsset'],
      ['Wallets:Transactions:Create', 'broadcastTransaction'],
      ['Keys:Signatures:Create', 'keysGenerateSignature'],
    ],
  },
  'Wallets:IncomingTransaction': {
    ...{ rules: 'Incoming', actions: 'Reporting', filters: 'Wallets', isPublished: true },
    ways: [],
  },
  'Permissions:Modify': { rules: 'Changes', actions: 'Stopping', filters: 'Permissions', isPublished: true },
  'Permissions:Assign': { rules: 'Changes', actions: 'Stopping', filters: 'Permissions', isPublished: true },
  // A policy that blocked every change of policies could never be removed.
  'Policies:Modify': { rules: 'Changes', actions: 'Asking', filters: 'Policies', isPublished: true },
  'Registry:Addresses:Modify': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: true },
  'Registry:ContractSchemas:Modify': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: true },
  'Keys:Export': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: false },
  'Keys:Import': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: false },
  'Keys:Delegate': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: false },
  'Organizations:Modify': { rules: 'Changes', actions: 'Stopping', filters: 'None', isPublished: false },
} as const satisfies Record<string, ActivityFacts>;

export type ActivityKind = keyof typeof ACTIVITIES;
export const ACTIVITY_KINDS = Object.keys(ACTIVITIES) as ActivityKind[];
/** Activities about value, judged by the movement and the wallet. */
export type WalletActivityKind = 'Wallets:Sign' | 'Wallets:IncomingTransaction';
/** Activities that change people's rights or the fate of a key. */
export type ChangeActivityKind = Exclude<ActivityKind, WalletActivityKind>;
const isOfChange = (kind: ActivityKind): kind is ChangeActivityKind => ACTIVITIES[kind].rules === 'Changes';
export const CHANGE_ACTIVITY_KINDS = ACTIVITY_KINDS.filter(isOfChange);

/** `limit` counts whole units of the currency, `timeframe` minutes. */
export type AmountLimit = { readonly limit: number; readonly currency: 'USD' };
type Window = { readonly timeframe: number };

export type Rule =
  | { readonly kind: 'AlwaysTrigger'; readonly configuration?: Readonly<Record<string, never>> }
  | { readonly kind: 'TransactionAmountLimit'; readonly configuration: AmountLimit }
  | { readonly kind: 'TransactionAmountVelocity'; readonly configuration: AmountLimit & Window }
  | { readonly kind: 'TransactionCountVelocity'; readonly configuration: { readonly limit: number } & Window }
  | {
      readonly kind: 'TransactionRecipientWhitelist';
      readonly configuration: {
        readonly addresses: readonly string[];
        /** Entries of the address registry, by id: each stands for its current address while it is active and has cooled off. */
        readonly registryAddressIds?: readonly string[];
      };
    }
  | { readonly kind: 'KytATransactionPrescreening'; readonly configuration: KytAConfiguration }
  | { readonly kind: 'KytATransactionScreening'; readonly configuration: KytAIncomingConfiguration }
  | { readonly kind: 'KytBTransactionPrescreening'; readonly configuration: KytBConfiguration }
  | { readonly kind: 'TravelRuleTransactionPrescreening'; readonly configuration: TravelRuleConfiguration };
export type RuleKind = Rule['kind'];

/** `{}` stands for anyone in the organisation. */
export type Approvers = { readonly userId?: { readonly in: readonly string[] } };

/** A group as the policy writes it. */
export type GroupDefinition = {
  /** Given by the service and never shown: identifies a group while its name and content change. */
  readonly id?: string;
  readonly name?: string;
  readonly quorum: number;
  readonly approvers: Approvers;
  readonly initiatorCanApprove?: boolean;
  /** Counts only if the organisation's operator lets service accounts vote at all. */
  readonly serviceAccountsCanApprove?: boolean;
  /** Further voters of this group if it has not reached its quorum after this many minutes. */
  readonly escalation?: { readonly afterMinutes: number; readonly approvers: Approvers };
};

export type Action =
  | { readonly kind: 'Block' }
  | { readonly kind: 'NoAction' }
  | {
      readonly kind: 'RequestApproval';
      readonly approvalGroups: readonly GroupDefinition[];
      /** Minutes until the approval expires, which rejects the activity; absent means never. */
      readonly autoRejectTimeout?: number | null;
      /** Minutes after which the remaining voters are reminded, once. */
      readonly reminderAfterMinutes?: number;
    };

/** A policy in `Shadow` is judged and recorded, and stops nothing. */
export const POLICY_MODES = ['Enforce', 'Shadow'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

type Listed = { readonly in: readonly string[] };
export type PermissionFilters = { readonly permissionId: Listed };
export type PolicyFilters = { readonly policyId: Listed };
export type WalletFilters = {
  readonly walletId?: Listed;
  readonly walletTags?: { readonly hasAny?: readonly string[]; readonly hasAll?: readonly string[] };
};
/** Each kind of activity has its own operators. */
export type Filters = WalletFilters & Partial<PermissionFilters> & Partial<PolicyFilters>;

/** A policy in force, as the evaluation reads it. */
export type PolicyInForce = {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly activityKind: ActivityKind;
  readonly rule: Rule;
  readonly action: Action;
  readonly filters: Filters | null;
  readonly mode: PolicyMode;
};
