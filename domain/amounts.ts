/** An unsigned integer in smallest units as a decimal string: no sign, point, exponent or leading zero. */
export const AMOUNT_PATTERN = /^(0|[1-9]\d{0,77})$/;

/** The greatest amount in an EVM word. The columns for amounts, `numeric(78,0)`, can store every unsigned 256-bit integer. */
export const AMOUNT_UNITS_MAX = 2n ** 256n - 1n;

export const MICRO_PER_UNIT = 1_000_000n;
const MICRO_DIGITS = 6;

export function isAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text) && BigInt(text) <= AMOUNT_UNITS_MAX;
}

/** No supported asset has more decimals. */
export const FRACTION_DIGITS = 77;

/** The exact value in micro-units of fiat. `priceMicro` is the price of one whole asset in micro-units. */
export function exactMicro(amountUnits: bigint, decimals: number, priceMicro: bigint): string {
  const digits = (amountUnits * priceMicro).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `1500000` of an asset with six decimals is `1.5`. */
export const inWholeUnits = (amountUnits: string, decimals: number): string => exactMicro(BigInt(amountUnits), decimals, 1n);

/** Converts an exact value to an integer that can be added. The integer counts parts of 10^-77. */
export function exactParts(exact: string): bigint {
  const [whole = '', fraction = ''] = exact.split('.');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
}

/** The reverse of `exactParts`. */
export const ofParts = (parts: bigint): string => exactMicro(parts, FRACTION_DIGITS, 1n);

export const unitsOfMicro = (exact: string): string => exactMicro(exactParts(exact), FRACTION_DIGITS + MICRO_DIGITS, 1n);

/** Rounds up, so that no fraction slips under a limit. A caller with several values rounds only their sum. */
export function wholeMicro(exact: string): bigint {
  const [whole = '', fraction] = exact.split('.');
  return BigInt(whole) + (fraction === undefined ? 0n : 1n);
}
