import { invariant } from '../../domain/errors';
import type { FeeEstimates } from '../../domain/fees';
import type { FeePriority } from '../../domain/transfers';

/** Throws if `fees` are estimates of a different kind. */
export function feesOfKind<Kind extends FeeEstimates['kind']>(
  kind: Kind,
  fees: FeeEstimates,
): Extract<FeeEstimates, { readonly kind: Kind }> {
  invariant(isOfKind(kind, fees), `these estimates have the form ${kind}`);
  return fees;
}

const isOfKind = <Kind extends FeeEstimates['kind']>(
  kind: Kind,
  fees: FeeEstimates,
): fees is Extract<FeeEstimates, { readonly kind: Kind }> => fees.kind === kind;

export const tiersOf = <Tier, Shown>(tiers: Readonly<Record<FeePriority, Tier>>, show: (tier: Tier) => Shown) => ({
  slow: show(tiers.Slow),
  standard: show(tiers.Standard),
  fast: show(tiers.Fast),
});
