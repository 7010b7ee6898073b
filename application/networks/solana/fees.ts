import type { FeeEstimates } from '../../../domain/fees';
import { feesOfKind, tiersOf } from '../fee-tiers';

/** Fee estimates of Solana as the interface shows them. */
export const solanaShown = (fees: FeeEstimates) => {
  const { kind, tiers } = feesOfKind('Solana', fees);
  return { kind, ...tiersOf(tiers, ({ computeUnitPrice }) => ({ computeUnitPrice: computeUnitPrice.toString() })) };
};
