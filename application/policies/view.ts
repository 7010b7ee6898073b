import type { Action, ActivityKind, Filters, PolicyMode, Rule } from '../../domain/policies';
import type { Policy } from '../../entities/policies/policy.store';
import { shownAction } from '../../policy/groups';

/**
 * `T` without `readonly`, because the interface's schemas use mutable arrays and objects. A cast to this type does no harm,
 * because a row that was read for one response is not shared.
 */
export type Plain<T> = T extends readonly (infer I)[]
  ? Plain<I>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

export type PolicyView = {
  readonly id: string;
  readonly name: string;
  readonly status: 'Active' | 'Archived';
  readonly activityKind: ActivityKind;
  readonly rule: Plain<Rule>;
  readonly action: Plain<Action>;
  readonly filters?: Plain<Filters>;
  readonly mode?: PolicyMode;
  readonly dateCreated: string;
  readonly dateUpdated: string;
};

export function policyView(row: Omit<Policy, 'orgId' | 'version' | 'revision'>): PolicyView {
  const view = {
    id: row.id,
    name: row.name,
    status: row.status,
    activityKind: row.activityKind,
    rule: row.rule,
    action: shownAction(row.action),
    ...(row.filters ? { filters: row.filters } : {}),
    // `mode` is an addition to the published interface, so the default value is omitted.
    ...(row.mode === 'Shadow' ? { mode: row.mode } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
  };
  // The code that wrote the row has checked that the rule, the action and the filters fit the kind.
  return view as PolicyView;
}
