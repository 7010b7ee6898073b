import type { Facts, Subject, WindowUsage } from './types';

/**
 * The highest usage among the wallets of the activity; null if the usage of one of these wallets is unknown. A key signs for all
 * its wallets, so an activity is counted for each wallet of the key (S3).
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

/**
 * The value of the activity is counted for every wallet of the key (S3). An activity of an end user's own key is not counted,
 * because no policy judges the activity. The fee is counted for the wallet of the sponsor.
 */
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
