import type { Facts, WindowUsage } from './types';

/**
 * The most that any wallet of the activity has used of a window; null where that is not known of one of them. A key signs for all its
 * wallets, so each of them counts by itself (S3).
 */
export function usedMost(
  { walletId, otherWallets = [], usage = [] }: Facts,
  timeframeMinutes: number,
  amountOf: (usage: WindowUsage) => bigint | null,
): bigint | null {
  if (walletId === null) return null;
  let most = 0n;
  for (const id of [walletId, ...otherWallets.map((wallet) => wallet.walletId)]) {
    const window = usage.find((one) => one.walletId === id && one.timeframeMinutes === timeframeMinutes);
    const used = window === undefined ? null : amountOf(window);
    if (used === null) return null;
    if (used > most) most = used;
  }
  return most;
}
