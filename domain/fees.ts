import type { Family } from './networks';
import type { FeePriority } from './transfers';

type Tiers<Tier> = Readonly<Record<FeePriority, Tier>>;

/** Smallest units per gas. */
export type Eip1559Fees = {
  readonly kind: 'Eip1559';
  readonly baseFeePerGas: bigint;
  readonly tiers: Tiers<{ readonly maxPriorityFeePerGas: bigint; readonly maxFeePerGas: bigint }>;
};
/**
 * `milliUnitsPerVbyte` counts thousandths of a smallest unit. `blockHorizon` is the target number of blocks until inclusion.
 */
export type BitcoinFees = {
  readonly kind: 'Bitcoin';
  readonly tiers: Tiers<{ readonly milliUnitsPerVbyte: bigint; readonly blockHorizon: number }>;
};
/** Micro-lamports per compute unit. */
export type SolanaFees = { readonly kind: 'Solana'; readonly tiers: Tiers<{ readonly computeUnitPrice: bigint }> };

type FeesOf = {
  readonly evm: Eip1559Fees;
  readonly utxo: BitcoinFees;
  readonly solana: SolanaFees;
};

/** Estimated from one block. */
export type FeeEstimates = { readonly blockNumber: number } & FeesOf[Family];
