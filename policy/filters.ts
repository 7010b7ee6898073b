import type { Filters } from '../domain/policies';
import type { ChangeFacts, Facts } from './types';

type WalletFacts = Pick<Facts, 'walletId' | 'walletTags'>;

/** True when a policy with these filters judges the activity: every operator given must hold, and none at all is always true. */
export function applies(filters: Filters | null, facts: WalletFacts | ChangeFacts): boolean {
  return 'walletId' in facts ? appliesToWallet(filters, facts) : appliesToChange(filters, facts);
}

function appliesToChange(filters: Filters | null, { permissionId, policyId }: ChangeFacts): boolean {
  const { in: permissionIds } = filters?.permissionId ?? {};
  const { in: policyIds } = filters?.policyId ?? {};
  return (
    (permissionIds === undefined || permissionId === null || permissionIds.includes(permissionId)) &&
    (policyIds === undefined || policyId === null || policyIds.includes(policyId))
  );
}

function appliesToWallet(filters: Filters | null, { walletId, walletTags }: WalletFacts): boolean {
  const { in: walletIds } = filters?.walletId ?? {};
  const { hasAny, hasAll } = filters?.walletTags ?? {};
  const tags = new Set(walletTags);
  return (
    (walletIds === undefined || walletIds.includes(walletId)) &&
    (hasAny === undefined || hasAny.some((tag) => tags.has(tag))) &&
    (hasAll === undefined || hasAll.every((tag) => tags.has(tag)))
  );
}
