import type { FeeEstimates } from '../../../domain/fees';
import { feesOfKind, tiersOf } from '../fee-tiers';

export const eip1559Shown = (fees: FeeEstimates) => {
  const { kind, baseFeePerGas, tiers } = feesOfKind('Eip1559', fees);
  return {
    kind,
    baseFeePerGas: baseFeePerGas.toString(),
    ...tiersOf(tiers, ({ maxFeePerGas, maxPriorityFeePerGas }) => ({
      maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
    })),
  };
};
