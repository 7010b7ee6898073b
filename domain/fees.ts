import type { FeePriority } from './transfers';

type Tiers<Tier> = Readonly<Record<FeePriority, Tier>>;

/**
 * What a network asks for at each priority, as of a block (behaviour.md (l)). Amounts are smallest units of the native asset: per gas, per
 * virtual byte where the contract speaks of a fee rate, and per compute unit in micro-lamports.
 */
export type FeeEstimates = { readonly blockNumber: number } & (
  | {
      readonly kind: 'Eip1559';
      readonly baseFeePerGas: bigint;
      readonly tiers: Tiers<{ readonly maxPriorityFeePerGas: bigint; readonly maxFeePerGas: bigint }>;
    }
  | {
      readonly kind: 'Bitcoin';
      /** `milliUnitsPerVbyte` is a thousandth of a unit per virtual byte; `blockHorizon` is in how many blocks it should be included. */
      readonly tiers: Tiers<{ readonly milliUnitsPerVbyte: bigint; readonly blockHorizon: number }>;
    }
  | { readonly kind: 'Solana'; readonly tiers: Tiers<{ readonly computeUnitPrice: bigint }> }
);
