import type {
  Action,
  ChangeActivityKind,
  PermissionFilters,
  PolicyFilters,
  PolicyMode,
  WalletFilters,
} from '../../domain/policies';
import type { Policy } from '../../entities/policies/policy.store';
import { shownAction } from '../../policy/groups';
import type { RuleOn } from '../../policy/rules';
import type { RuleOf } from '../../policy/rules/rule';

/** The schemas of the interface speak of plain arrays and objects; a row read for one answer belongs to that answer. */
export type Plain<T> = T extends readonly (infer I)[]
  ? Plain<I>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

type AlwaysTrigger = Plain<RuleOf<'AlwaysTrigger'>>;
type NoAction = Extract<Action, { kind: 'NoAction' }>;
type RequestApproval = Plain<Extract<Action, { kind: 'RequestApproval' }>>;
type Stopping = Plain<Exclude<Action, NoAction>>;

export type PolicyView = {
  readonly id: string;
  readonly name: string;
  readonly status: 'Active' | 'Archived';
  readonly mode?: PolicyMode;
  readonly dateCreated: string;
  readonly dateUpdated: string;
} & (
  | { activityKind: 'Wallets:Sign'; rule: Plain<RuleOn<'Wallets:Sign'>>; action: Plain<Action>; filters?: Plain<WalletFilters> }
  | {
      activityKind: 'Wallets:IncomingTransaction';
      rule: Plain<RuleOn<'Wallets:IncomingTransaction'>>;
      action: NoAction;
      filters?: Plain<WalletFilters>;
    }
  | { activityKind: 'Permissions:Modify'; rule: AlwaysTrigger; action: Stopping; filters?: Plain<PermissionFilters> }
  | { activityKind: 'Permissions:Assign'; rule: AlwaysTrigger; action: Stopping; filters?: Plain<PermissionFilters> }
  | { activityKind: 'Policies:Modify'; rule: AlwaysTrigger; action: RequestApproval; filters?: Plain<PolicyFilters> }
  | { [K in Unfiltered]: { activityKind: K; rule: AlwaysTrigger; action: Stopping; filters?: Record<string, never> } }[Unfiltered]
);

/** Activities of which every policy judges all. */
type Unfiltered = Exclude<ChangeActivityKind, 'Permissions:Modify' | 'Permissions:Assign' | 'Policies:Modify'>;

/** A policy as the interface shows it; events carry the same. */
export function policyView(row: Omit<Policy, 'orgId' | 'version' | 'revision'>): PolicyView {
  const view = {
    id: row.id,
    name: row.name,
    status: row.status,
    activityKind: row.activityKind,
    rule: row.rule,
    action: shownAction(row.action),
    ...(row.filters ? { filters: row.filters } : {}),
    // A member of ours, so it is there only where it says something.
    ...(row.mode === 'Shadow' ? { mode: row.mode } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
  };
  // Which rules, actions and filters go with which kind was checked when the row was written.
  return view as PolicyView;
}
