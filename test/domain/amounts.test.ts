import fc from 'fast-check';
import { AMOUNT_PATTERN, AMOUNT_UNITS_MAX, fiatMicro, isAmount, MICRO_PER_UNIT } from '../../domain/amounts';

const WORD_MAX = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
const WORD_MAX_PLUS_ONE = '115792089237316195423570985008687907853269984665640564039457584007913129639936';

test('an amount has at most 78 digits', () => {
  expect([77, 78, 79].map((digits) => AMOUNT_PATTERN.test('1'.repeat(digits)))).toEqual([true, true, false]);
});

test('the greatest 256-bit word is an amount and the next number is none', () => {
  expect(AMOUNT_UNITS_MAX.toString()).toBe(WORD_MAX);
  expect([isAmount(WORD_MAX), isAmount(WORD_MAX_PLUS_ONE)]).toEqual([true, false]);
});

test.each(['', '-1', '+1', '01', '00', '1.0', '1e3', '0x10', ' 1', '1 ', '1\n', '1_000', '١', '9'.repeat(78), '1'.repeat(79)])(
  '%j is no amount',
  (text) => {
    expect(isAmount(text)).toBe(false);
  },
);

test('every integer from zero to the greatest word is an amount in exactly its decimal form', () => {
  fc.assert(fc.property(fc.bigInt(0n, AMOUNT_UNITS_MAX), (units) => isAmount(units.toString())));
  fc.assert(fc.property(fc.bigInt(AMOUNT_UNITS_MAX + 1n, 10n ** 90n), (units) => !isAmount(units.toString())));
});

test.each([
  [1_000_000_000_000_000_000n, 18, 3_000_000_000n, 3_000_000_000n],
  [1_000_000n, 6, 1_000_000n, 1_000_000n],
  [0n, 18, 3_000_000_000n, 0n],
  [5n, 0, 7n, 35n],
])('%s units of %s decimals at %s micro-units are worth %s', (units, decimals, price, expected) => {
  expect(fiatMicro(units, decimals, price)).toBe(expected);
});

test('the smallest fraction of a micro-unit counts as a whole one', () => {
  expect(fiatMicro(1n, 18, MICRO_PER_UNIT)).toBe(1n);
  expect([999_999_999_999n, 1_000_000_000_000n, 1_000_000_000_001n].map((units) => fiatMicro(units, 18, MICRO_PER_UNIT))).toEqual(
    [1n, 1n, 2n],
  );
});

test('a value is never below the exact one, never a whole micro-unit above it, and never falls with the amount', () => {
  const amount = fc.bigInt(0n, AMOUNT_UNITS_MAX);
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 0, max: 77 }), fc.bigInt(0n, 10n ** 24n), (a, b, decimals, price) => {
      const scale = 10n ** BigInt(decimals);
      const value = fiatMicro(a, decimals, price);
      expect(value * scale >= a * price && value * scale - a * price < scale).toBe(true);
      expect(fiatMicro(a + b, decimals, price) >= value).toBe(true);
    }),
  );
});
