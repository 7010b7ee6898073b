import type { Filters, PolicyInForce } from '../domain/policies';
import { RULES } from './rules';
import type { ChangeFacts, KeyFacts, Subject, WalletFacts } from './types';

export const appliesToFee = ({ filters, rule }: Pick<PolicyInForce, 'filters' | 'rule'>, facts: Subject | ChangeFacts): boolean =>
  'walletId' in facts &&
  facts.sponsor !== undefined &&
  RULES[rule.kind].judgesFees &&
  appliesToStore(filters, facts.sponsor) &&
  appliesToWallet(filters, facts.sponsor);

/**
 * Every given operator (`in`, `notIn`, `hasAny`, `hasAll`) must match. A change whose `permissionId` or `policyId` is null matches
 * every filter on this member. No policy judges an activity of an end user's own key, and a policy without filters judges every
 * other activity.
 */
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

function appliesToSigning(filters: Filters | null, subject: Subject): boolean {
  const { walletId, walletTags, otherWallets = [], isOwnKey } = subject;
  if (isOwnKey === true || !appliesToStore(filters, subject)) return false;
  // Only policies without a wallet filter apply to a key that never had a wallet.
  if (walletId === null) return !narrows(filters);
  return [{ walletId, walletTags }, ...otherWallets].some((wallet) => appliesToWallet(filters, wallet));
}

/** An unknown store matches every filter, because the key might be in a store that the policy is about. */
function appliesToStore(filters: Filters | null, { storeId }: KeyFacts): boolean {
  const { in: stores, notIn } = filters?.storeId ?? {};
  if (storeId === undefined) return true;
  return (stores === undefined || stores.includes(storeId)) && !(notIn?.includes(storeId) ?? false);
}

const narrows = (filters: Filters | null): boolean =>
  filters?.walletId !== undefined || filters?.walletTags?.hasAny !== undefined || filters?.walletTags?.hasAll !== undefined;

function appliesToWallet(filters: Filters | null, { walletId, walletTags }: WalletFacts): boolean {
  const { in: walletIds } = filters?.walletId ?? {};
  const { hasAny, hasAll } = filters?.walletTags ?? {};
  return (
    (walletIds === undefined || walletIds.includes(walletId)) &&
    (hasAny === undefined || hasAny.some((tag) => walletTags.includes(tag))) &&
    (hasAll === undefined || hasAll.every((tag) => walletTags.includes(tag)))
  );
}
