/** The groups have the order of their first items. */
export function byOrganization<T extends { readonly orgId: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = groups.get(item.orgId);
    if (own) own.push(item);
    else groups.set(item.orgId, [item]);
  }
  return groups;
}
