/** Permission operations of the slice; the catalogue of everything lives with the operations themselves. */
export const MANAGED_FULL_ADMIN = 'ManagedFullAdminAccess';

/** Stands for every operation, present and future, in a managed permission. */
export const ALL_OPERATIONS = '*';

export function allows(permissions: ReadonlySet<string>, operation: string): boolean {
  return permissions.has(ALL_OPERATIONS) || permissions.has(operation);
}

/** What both allow; null stands for no limit. */
export function intersection(permissions: ReadonlySet<string>, limit: ReadonlySet<string> | null): ReadonlySet<string> {
  if (limit === null || limit.has(ALL_OPERATIONS)) return permissions;
  if (permissions.has(ALL_OPERATIONS)) return limit;
  return new Set([...permissions].filter((operation) => limit.has(operation)));
}
