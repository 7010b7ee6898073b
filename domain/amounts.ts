/** An unsigned integer in smallest units as a decimal string: no sign, point, exponent or leading zero. */
export const AMOUNT_PATTERN = /^(0|[1-9]\d{0,77})$/;

/** `numeric(78,0)` holds every unsigned 256-bit integer; 2^256 - 1 is the greatest amount an EVM word can carry. */
export const AMOUNT_UNITS_MAX = 2n ** 256n - 1n;

export const MICRO_PER_UNIT = 1_000_000n;

/** True for an amount that fits a row and an EVM word. */
export function isAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text) && BigInt(text) <= AMOUNT_UNITS_MAX;
}

/**
 * The value of an amount in integer micro-units of fiat, rounded up so that a limit is never missed by a fraction.
 * `priceMicro` is the price of one whole asset in micro-units.
 */
export function fiatMicro(amountUnits: bigint, decimals: number, priceMicro: bigint): bigint {
  const scale = 10n ** BigInt(decimals);
  return (amountUnits * priceMicro + scale - 1n) / scale;
}
