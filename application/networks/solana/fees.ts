import type { FeeEstimates } from '../../../domain/fees';
import { feesOfKind, tiersOf } from '../fee-tiers';

export const solanaShown = (fees: FeeEstimates) => {
  const { kind, tiers } = feesOfKind('Solana', fees);
  return { kind, ...tiersOf(tiers, ({ computeUnitPrice }) => ({ computeUnitPrice: computeUnitPrice.toString() })) };
};
