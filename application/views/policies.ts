import type { Action, ActivityKind, Filters, Rule } from '../../domain/policies';
import type { PolicyEntity } from '../../entities/policies/policy.entity';

/** The schemas of the interface speak of plain arrays and objects; a row read for one answer belongs to that answer. */
type Plain<T> = T extends readonly (infer I)[] ? Plain<I>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

export type PolicyView = {
  readonly id: string;
  readonly name: string;
  readonly status: 'Active' | 'Archived';
  readonly activityKind: ActivityKind;
  readonly rule: Plain<Rule>;
  readonly action: Plain<Action>;
  readonly filters?: Plain<Filters>;
  readonly dateCreated: string;
  readonly dateUpdated: string;
};

/** A policy as the interface shows it; events carry the same. */
export function policyView(row: PolicyEntity): PolicyView {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    activityKind: row.activityKind,
    rule: row.rule as Plain<Rule>,
    action: row.action as Plain<Action>,
    ...(row.filters ? { filters: row.filters as Plain<Filters> } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
  };
}
