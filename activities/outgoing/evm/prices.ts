import type { FeeTerms } from '../../../chains/evm/types';

/**
 * A node accepts a replacement only if the highest fee and the tip per gas both rise by a tenth (`pricebump` of geth and
 * Erigon). Some nodes demand an eighth.
 */
const bumped = (price: bigint): bigint => (price * 9n + 7n) / 8n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);
type Prices = Pick<FeeTerms, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

export const higherPrices = (before: Prices, market: Prices): Prices => ({
  maxFeePerGas: max(bumped(before.maxFeePerGas), market.maxFeePerGas),
  maxPriorityFeePerGas: max(bumped(before.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
});
