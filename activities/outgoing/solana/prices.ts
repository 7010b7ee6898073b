import type { DecodedSolana } from '../../../chains/solana/types';

const MICRO = 1_000_000n;
const max = (a: bigint, b: bigint) => (a > b ? a : b);

/** In micro-lamports per compute unit. */
export const priceIn = ({ instructions }: DecodedSolana): bigint =>
  instructions.flatMap((one) => (one.kind === 'ComputeUnitPrice' ? [one.microLamports] : [])).reduce(max, 0n);

/** A leader who sorts transactions by price prefers a replacement that costs at least an eighth more. */
export const higherPrice = (before: bigint, market: bigint): bigint => max((before * 9n + 7n) / 8n, market);

/** An estimate: the exact fee is known only once the message is built. */
export function feeAt(decoded: DecodedSolana, price: bigint): bigint {
  const units = decoded.instructions
    .flatMap((one) => (one.kind === 'ComputeUnitLimit' ? [BigInt(one.units)] : []))
    .reduce(max, 0n);
  const partOf = (at: bigint) => (units * at + MICRO - 1n) / MICRO;
  return decoded.maxFeeUnits - partOf(priceIn(decoded)) + partOf(price);
}
