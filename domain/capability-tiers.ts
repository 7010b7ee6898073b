import { AppError } from './errors';
import type { NetworkName, Tier } from './networks';

/**
 * What a network of a tier has, by what its nodes can be asked for (behaviour.md (g)): balances and transfers of the native asset, what those
 * cost, whatever concerns tokens, answers of contracts, and what comes in from outside.
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

/** What nothing reports to the service so far, whatever nodes could tell: it is promised to nobody, and no policy may wait for it. */
const NOT_REPORTED: readonly TierPart[] = ['IncomingPayments'];

/** What wallets on a network of this tier have today. */
export const tierParts = (tier: Tier): TierPart[] => TIER_HAS[tier].filter((part) => isReported(part));

export const isReported = (part: TierPart): boolean => !NOT_REPORTED.includes(part);

export const tierHas = (tier: Tier, part: TierPart): boolean => TIER_HAS[tier].some((one) => one === part);

/** Throws `NotFound` for what wallets on this network do not have (specification, Errors 4): an empty answer would say that there is none of it. */
export function assertTierHas({ name, tier }: { readonly name: NetworkName; readonly tier: Tier }, part: TierPart): void {
  if (tierHas(tier, part)) return;
  throw new AppError('NotFound', `Wallets on ${name}, a network of tier ${tier}, have no ${WORDS[part]} here`, {
    network: name,
    tier,
    part,
  });
}
