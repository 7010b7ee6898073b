/** Activities that policies of this release judge. */
export const ACTIVITY_KINDS = ['Wallets:Sign', 'Permissions:Modify', 'Permissions:Assign', 'Policies:Modify'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
/** Activities that change a record which says what people may do. */
export type ChangeActivityKind = Exclude<ActivityKind, 'Wallets:Sign'>;

export type Rule =
  | { readonly kind: 'AlwaysTrigger'; readonly configuration?: Readonly<Record<string, never>> }
  | { readonly kind: 'TransactionAmountLimit'; readonly configuration: { readonly limit: number; readonly currency: 'USD' } }
  | { readonly kind: 'TransactionRecipientWhitelist'; readonly configuration: { readonly addresses: readonly string[] } };

/** A group as the policy writes it. `approvers: {}` means anyone in the organisation. */
export type GroupDefinition = {
  readonly name?: string;
  readonly quorum: number;
  readonly approvers: { readonly userId?: { readonly in: readonly string[] } };
  readonly initiatorCanApprove?: boolean;
  /** Counts only where the organisation's operator lets service accounts vote at all. */
  readonly serviceAccountsCanApprove?: boolean;
};

export type Action =
  | { readonly kind: 'Block' }
  | {
      readonly kind: 'RequestApproval';
      readonly approvalGroups: readonly GroupDefinition[];
      /** Minutes until the approval rejects itself; absent means never. */
      readonly autoRejectTimeout?: number | null;
    };

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
};
