import type { FeeTerms } from '../../../chains/evm/types';

/** Nodes ask for a tenth more of both prices, some for an eighth (geth's and Erigon's `pricebump`). */
const bumped = (price: bigint): bigint => (price * 9n + 7n) / 8n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);
type Prices = Pick<FeeTerms, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** What nodes take in place of bytes with these prices: the market's, and an eighth more than before at least. */
export const higherPrices = (before: Prices, market: Prices): Prices => ({
  maxFeePerGas: max(bumped(before.maxFeePerGas), market.maxFeePerGas),
  maxPriorityFeePerGas: max(bumped(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
});
