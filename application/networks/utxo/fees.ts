import type { FeeEstimates } from '../../../domain/fees';
import { feesOfKind, tiersOf } from '../fee-tiers';

/** The rate in smallest units per virtual byte, with up to three decimal places. */
function rateInWords(milliUnitsPerVbyte: bigint): string {
  const fraction = (milliUnitsPerVbyte % 1_000n).toString().padStart(3, '0').replace(/0+$/, '');
  return `${milliUnitsPerVbyte / 1_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

export const bitcoinShown = (fees: FeeEstimates) => {
  const { kind, tiers } = feesOfKind('Bitcoin', fees);
  return {
    kind,
    ...tiersOf(tiers, ({ milliUnitsPerVbyte, blockHorizon }) => ({ feeRate: rateInWords(milliUnitsPerVbyte), blockHorizon })),
  };
};
