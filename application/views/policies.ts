import type { Action, PermissionFilters, PolicyFilters, Rule, WalletFilters } from '../../domain/policies';
import type { PolicyEntity } from '../../entities/policies/policy.entity';

/** The schemas of the interface speak of plain arrays and objects; a row read for one answer belongs to that answer. */
type Plain<T> = T extends readonly (infer I)[] ? Plain<I>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

type AlwaysTrigger = Plain<Extract<Rule, { kind: 'AlwaysTrigger' }>>;
type RequestApproval = Plain<Extract<Action, { kind: 'RequestApproval' }>>;

export type PolicyView = {
  readonly id: string;
  readonly name: string;
  readonly status: 'Active' | 'Archived';
  readonly dateCreated: string;
  readonly dateUpdated: string;
} & (
  | { activityKind: 'Wallets:Sign'; rule: Plain<Rule>; action: Plain<Action>; filters?: Plain<WalletFilters> }
  | {
      activityKind: 'Permissions:Modify' | 'Permissions:Assign';
      rule: AlwaysTrigger;
      action: Plain<Action>;
      filters?: Plain<PermissionFilters>;
    }
  | { activityKind: 'Policies:Modify'; rule: AlwaysTrigger; action: RequestApproval; filters?: Plain<PolicyFilters> }
);

/** A policy as the interface shows it; events carry the same. */
export function policyView(row: Omit<PolicyEntity, 'orgId' | 'version'>): PolicyView {
  const view = {
    id: row.id,
    name: row.name,
    status: row.status,
    activityKind: row.activityKind,
    rule: row.rule,
    action: row.action,
    ...(row.filters ? { filters: row.filters } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
  };
  // Which rules, actions and filters go with which kind was checked when the row was written.
  return view as PolicyView;
}
