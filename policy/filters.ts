import type { Filters } from '../domain/policies';
import type { Facts } from './types';

/** True when a policy with these filters judges the activity: every operator given must hold, and none at all is always true. */
export function applies(filters: Filters | null, { walletId, walletTags }: Pick<Facts, 'walletId' | 'walletTags'>): boolean {
  const { in: walletIds } = filters?.walletId ?? {};
  const { hasAny, hasAll } = filters?.walletTags ?? {};
  const tags = new Set(walletTags);
  return (
    (walletIds === undefined || walletIds.includes(walletId)) &&
    (hasAny === undefined || hasAny.some((tag) => tags.has(tag))) &&
    (hasAll === undefined || hasAll.every((tag) => tags.has(tag)))
  );
}
