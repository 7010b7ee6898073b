import { AppError } from './errors';
import type { NetworkName, Tier } from './networks';

/**
 * The features of a network by its tier. On tiers 2 and 3, nodes do not support some queries. `Balance`, `Transfers` and `Fees`
 * refer to the native asset.
 */
export const TIER_HAS = {
  1: ['Balance', 'Transfers', 'Fees', 'Tokens', 'ContractReads', 'IncomingPayments'],
  2: ['Balance', 'Transfers', 'Fees'],
  3: [],
} as const satisfies Record<Tier, readonly string[]>;

export type TierPart = (typeof TIER_HAS)[1][number];

const WORDS = {
  Balance: 'balance',
  Transfers: 'transfers',
  Fees: 'fee estimates',
  Tokens: 'tokens',
  ContractReads: 'calls of contract functions',
  IncomingPayments: 'history and reports of incoming payments',
} as const satisfies Record<TierPart, string>;

export const tierParts = (tier: Tier): readonly TierPart[] => TIER_HAS[tier];

export const tierHas = (tier: Tier, part: TierPart): boolean => TIER_HAS[tier].some((one) => one === part);

/**
 * Throws `NotFound` if wallets on this network lack the feature. An empty response would look as if the service had read the
 * chain.
 */
export function assertTierHas({ name, tier }: { readonly name: NetworkName; readonly tier: Tier }, part: TierPart): void {
  if (tierHas(tier, part)) return;
  throw new AppError('NotFound', `Wallets on ${name}, a network of tier ${tier}, have no ${WORDS[part]} here`, {
    network: name,
    tier,
    part,
  });
}
