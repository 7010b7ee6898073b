import type { Facts, Subject, WindowUsage } from './types';

/**
 * The highest use of a window among the activity's wallets; null if that is unknown for one of them. A key signs for all its wallets, so each of them
 * is counted separately (S3).
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

type Share = { readonly walletId: string; readonly amountUsdMicro: string | null };

/** The shares that an activity counts per wallet: its value for each wallet of its key (S3), and its fee for the wallet of a sponsor. */
export function sharesOf({
  walletId,
  otherWallets = [],
  isOwnKey,
  sponsor,
  amountUsdMicro,
}: Subject & Pick<Facts, 'amountUsdMicro'>): Share[] {
  const own = walletId === null || isOwnKey === true ? [] : [walletId, ...otherWallets.map((wallet) => wallet.walletId)];
  const shares = [...new Set(own)].map((id) => ({ walletId: id, amountUsdMicro }));
  return sponsor === undefined ? shares : [...shares, { walletId: sponsor.walletId, amountUsdMicro: sponsor.amountUsdMicro }];
}
