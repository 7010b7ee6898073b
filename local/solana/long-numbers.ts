/** No real text begins with this character. */
const MARK = '\u0001';
const MARKED = /"\\u0001(\d+)"/g;

/** Numbers that are too large for a JavaScript number stay `bigint`. */
export const exactly = (units: bigint): number | bigint => (units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : units);

/** JSON in which a `bigint` is a number with all its digits. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${MARK}${one}` : one)).replace(MARKED, '$1');
