import type { KytAConfiguration, KytAIncomingConfiguration, KytBConfiguration } from './screenings';
import type { TravelRuleConfiguration } from './travel-rules';

export type Way = readonly [permission: string, operationId: string];

type ActivityFacts = {
  /** The rules that can judge the activity. `Changes` has only the rule `AlwaysTrigger`. */
  readonly rules: 'Signing' | 'Incoming' | 'Changes';
  readonly actions: 'All' | 'Stopping' | 'Asking' | 'Reporting';
  readonly filters: 'Wallets' | 'Permissions' | 'Policies' | 'None';
  /** False for additions to the published interface. */
  readonly isPublished: boolean;
  /** The operations by which people request the activity. `CHANGES` lists the operations of changes. */
  readonly ways?: readonly Way[];
};

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
  // Policies on this activity may not block: a policy that blocks every change of policies could never be removed.
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
export type WalletActivityKind = 'Wallets:Sign' | 'Wallets:IncomingTransaction';
export type ChangeActivityKind = Exclude<ActivityKind, WalletActivityKind>;
const isOfChange = (kind: ActivityKind): kind is ChangeActivityKind => ACTIVITIES[kind].rules === 'Changes';
export const CHANGE_ACTIVITY_KINDS = ACTIVITY_KINDS.filter(isOfChange);

/** In whole units of the currency. */
export type AmountLimit = { readonly limit: number; readonly currency: 'USD' };
/** In minutes. */
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
        /** Ids of registry entries. An id represents the current address of an active entry whose cooling period is over. */
        readonly registryAddressIds?: readonly string[];
      };
    }
  | { readonly kind: 'KytATransactionPrescreening'; readonly configuration: KytAConfiguration }
  | { readonly kind: 'KytATransactionScreening'; readonly configuration: KytAIncomingConfiguration }
  | { readonly kind: 'KytBTransactionPrescreening'; readonly configuration: KytBConfiguration }
  | { readonly kind: 'TravelRuleTransactionPrescreening'; readonly configuration: TravelRuleConfiguration };
export type RuleKind = Rule['kind'];

/** `{}` means every employee of the organisation. */
export type Approvers = { readonly userId?: { readonly in: readonly string[] } };

export type GroupDefinition = {
  /** Identifies the group while its name and content change. The service sets the id, and responses omit the id. */
  readonly id?: string;
  readonly name?: string;
  readonly quorum: number;
  readonly approvers: Approvers;
  readonly initiatorCanApprove?: boolean;
  /** Takes effect only if the operator has allowed the organisation's service accounts to vote. */
  readonly serviceAccountsCanApprove?: boolean;
  /** Voters who are added if the group has not reached its quorum after this many minutes. */
  readonly escalation?: { readonly afterMinutes: number; readonly approvers: Approvers };
};

export type Action =
  | { readonly kind: 'Block' }
  | { readonly kind: 'NoAction' }
  | {
      readonly kind: 'RequestApproval';
      readonly approvalGroups: readonly GroupDefinition[];
      /** In minutes. If absent, the approval never expires. */
      readonly autoRejectTimeout?: number | null;
      /** The voters who have not voted are reminded once. */
      readonly reminderAfterMinutes?: number;
    };

/** A policy in `Shadow` is evaluated and the result recorded, but the policy does not hold or block activities. */
export const POLICY_MODES = ['Enforce', 'Shadow'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

type Listed = { readonly in: readonly string[] };
export type PermissionFilters = { readonly permissionId: Listed };
export type PolicyFilters = { readonly policyId: Listed };
export type WalletFilters = {
  readonly walletId?: Listed;
  readonly walletTags?: { readonly hasAny?: readonly string[]; readonly hasAll?: readonly string[] };
  /** The key stores that hold the signing key, or that do not hold it. */
  readonly storeId?: { readonly in?: readonly string[]; readonly notIn?: readonly string[] };
};
/** Each kind of activity accepts only the filters that `ACTIVITIES` lists for this kind. */
export type Filters = WalletFilters & Partial<PermissionFilters> & Partial<PolicyFilters>;

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
