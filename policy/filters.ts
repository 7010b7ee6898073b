import type { Filters } from '../domain/policies';
import type { ChangeFacts, Subject, WalletFacts } from './types';

/** True when a policy with these filters judges the activity: every operator given must hold, and none at all is always true. */
export function applies(filters: Filters | null, facts: Subject | ChangeFacts): boolean {
  return 'walletId' in facts ? appliesToSigning(filters, facts) : appliesToChange(filters, facts);
}

function appliesToChange(filters: Filters | null, { permissionId, policyId }: ChangeFacts): boolean {
  const { in: permissionIds } = filters?.permissionId ?? {};
  const { in: policyIds } = filters?.policyId ?? {};
  return (
    (permissionIds === undefined || permissionId === null || permissionIds.includes(permissionId)) &&
    (policyIds === undefined || policyId === null || policyIds.includes(policyId))
  );
}

function appliesToSigning(filters: Filters | null, { walletId, walletTags, otherWallets = [] }: Subject): boolean {
  if (walletId === null) return true;
  return [{ walletId, walletTags }, ...otherWallets].some((wallet) => appliesToWallet(filters, wallet));
}

function appliesToWallet(filters: Filters | null, { walletId, walletTags }: WalletFacts): boolean {
  const { in: walletIds } = filters?.walletId ?? {};
  const { hasAny, hasAll } = filters?.walletTags ?? {};
  return (
    (walletIds === undefined || walletIds.includes(walletId)) &&
    (hasAny === undefined || hasAny.some((tag) => walletTags.includes(tag))) &&
    (hasAll === undefined || hasAll.every((tag) => walletTags.includes(tag)))
  );
}
