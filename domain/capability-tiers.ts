import { AppError } from './errors';
import type { NetworkName, Tier } from './networks';

/**
 * The features of a network by its tier. On tiers 2 and 3, the nodes leave some queries unanswered. So a network on these tiers
 * lacks the features that depend on the unanswered queries. `Balance`, `Transfers` and `Fees` are about the native asset, and
 * `Tokens` is everything about tokens.
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
  ContractReads: 'answers of contracts',
  IncomingPayments: 'reports of incoming payments',
} as const satisfies Record<TierPart, string>;

/**
 * Features that the service does not implement yet, even where nodes support them. The service neither offers these features
 * nor lets a policy depend on these features.
 */
const NOT_REPORTED: readonly TierPart[] = ['IncomingPayments'];

/** The features that wallets on a network of this tier have today. */
export const tierParts = (tier: Tier): TierPart[] => TIER_HAS[tier].filter((part) => isReported(part));

/** Whether the service implements the feature. */
export const isReported = (part: TierPart): boolean => !NOT_REPORTED.includes(part);

export const tierHas = (tier: Tier, part: TierPart): boolean => TIER_HAS[tier].some((one) => one === part);

/**
 * Throws `NotFound` if wallets on this network lack the feature. An empty list in place of this error would claim that the
 * service has looked and found nothing.
 */
export function assertTierHas({ name, tier }: { readonly name: NetworkName; readonly tier: Tier }, part: TierPart): void {
  if (tierHas(tier, part)) return;
  throw new AppError('NotFound', `Wallets on ${name}, a network of tier ${tier}, have no ${WORDS[part]} here`, {
    network: name,
    tier,
    part,
  });
}
