/** An unsigned integer in smallest units as a decimal string: no sign, point, exponent or leading zero. */
export const AMOUNT_PATTERN = /^(0|[1-9]\d{0,77})$/;

/**
 * The columns for amounts have the type `numeric(78,0)`, which holds every unsigned 256-bit integer. 2^256 - 1 is the greatest
 * amount in an EVM word.
 */
export const AMOUNT_UNITS_MAX = 2n ** 256n - 1n;

export const MICRO_PER_UNIT = 1_000_000n;
const MICRO_DIGITS = 6;

/** True for an amount that fits a row and an EVM word. */
export function isAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text) && BigInt(text) <= AMOUNT_UNITS_MAX;
}

/** The highest number of digits after the point. No supported asset has more decimals than this. */
export const FRACTION_DIGITS = 77;

/**
 * The exact value of an amount in micro-units of fiat, as a decimal string. `priceMicro` is the price of one whole asset in
 * micro-units.
 */
export function exactMicro(amountUnits: bigint, decimals: number, priceMicro: bigint): string {
  const digits = (amountUnits * priceMicro).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The exact amount in whole units of its asset: `1500000` of an asset with six decimals is `1.5`. */
export const inWholeUnits = (amountUnits: string, decimals: number): string => exactMicro(BigInt(amountUnits), decimals, 1n);

/**
 * Converts an exact value to an integer, so that values can be added. The integer counts parts of 10^-77, the smallest part
 * that a value can have.
 */
export function exactParts(exact: string): bigint {
  const [whole = '', fraction = ''] = exact.split('.');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
}

/** Converts the result of `exactParts`, or a sum of such results, back to an exact value. */
export const ofParts = (parts: bigint): string => exactMicro(parts, FRACTION_DIGITS, 1n);

/** Converts an exact value in micro-units to an exact value in whole units. */
export const unitsOfMicro = (exact: string): string => exactMicro(exactParts(exact), FRACTION_DIGITS + MICRO_DIGITS, 1n);

/**
 * Rounds an exact value up to whole micro-units, so that no fraction slips under a limit. A caller with several values must add
 * the exact values first, and round only the total.
 */
export function wholeMicro(exact: string): bigint {
  const [whole = '', fraction] = exact.split('.');
  return BigInt(whole) + (fraction === undefined ? 0n : 1n);
}
