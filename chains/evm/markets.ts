import { z } from 'zod';
import type { FeePriority } from '../../domain/transfers';
import { Quantity, quantityOf, type Rpc, SmallQuantity } from '../rpc/rpc';

const HISTORY_BLOCKS = 10;
const TIP_PERCENTILES: Readonly<Record<FeePriority, number>> = { Slow: 10, Standard: 50, Fast: 90 };
const TIP_INDEX: Readonly<Record<FeePriority, number>> = { Slow: 0, Standard: 1, Fast: 2 };
/**
 * Minimum tips in wei per gas. After empty blocks the history shows tips of zero, but a block includes a transaction without a
 * tip only after all other transactions.
 */
export const TIP_FLOOR: Readonly<Record<FeePriority, bigint>> = { Slow: 50_000_000n, Standard: 100_000_000n, Fast: 250_000_000n };
/** If nodes suggest a single price or tip, each priority offers this percentage of the suggestion. */
export const PRICE_PERCENT: Readonly<Record<FeePriority, bigint>> = { Slow: 100n, Standard: 110n, Fast: 130n };

const FeeHistory = z.object({
  oldestBlock: SmallQuantity,
  baseFeePerGas: z.array(Quantity).min(1),
  reward: z.array(z.array(Quantity)).nullish(),
});

/** Prices in wei per gas. `baseFee` is the base fee of the next block. */
export type Market = { readonly baseFee: bigint; readonly tip: bigint };
export type Markets = { readonly blockNumber: number; readonly at: (priority: FeePriority) => Market };

const median = (values: readonly bigint[]) => [...values].sort((a, b) => Number(a - b))[values.length >> 1] ?? 0n;
export const highest = (a: bigint, b: bigint) => (a > b ? a : b);

/** The data of `eth_feeHistory` (EIP-1559). */
export async function readFeeHistory(rpc: Rpc, tipPercentiles = TIP_PERCENTILES): Promise<Markets> {
  const { Slow, Standard, Fast } = tipPercentiles;
  const params = [quantityOf(HISTORY_BLOCKS), 'latest', [Slow, Standard, Fast]];
  const { oldestBlock, baseFeePerGas, reward } = await rpc('eth_feeHistory', params, FeeHistory);
  return {
    // The history begins at `oldestBlock` and ends with the base fee of the next block.
    blockNumber: oldestBlock + baseFeePerGas.length - 2,
    at: (priority) => {
      const tips = (reward ?? []).map((row) => row[TIP_INDEX[priority]] ?? 0n).filter((tip) => tip > 0n);
      return { baseFee: baseFeePerGas.at(-1) ?? 0n, tip: highest(median(tips), TIP_FLOOR[priority]) };
    },
  };
}
