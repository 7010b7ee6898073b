import type { Action, Filters, Rule } from '../../domain/policies';
import type { PolicyEntity } from '../../entities/policies/policy.entity';

export type PolicyView = {
  readonly id: string;
  readonly name: string;
  readonly status: 'Active' | 'Archived';
  readonly activityKind: string;
  readonly rule: Rule;
  readonly action: Action;
  readonly filters?: Filters;
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
    rule: row.rule,
    action: row.action,
    ...(row.filters ? { filters: row.filters } : {}),
    dateCreated: row.dateCreated.toISOString(),
    dateUpdated: row.dateUpdated.toISOString(),
  };
}
