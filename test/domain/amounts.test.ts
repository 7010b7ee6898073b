import fc from 'fast-check';
import {
  AMOUNT_PATTERN,
  AMOUNT_UNITS_MAX,
  exactMicro,
  exactParts,
  isAmount,
  MICRO_PER_UNIT,
  ofParts,
  wholeMicro,
} from '../../domain/amounts';

const WORD_MAX = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
const WORD_MAX_PLUS_ONE = '115792089237316195423570985008687907853269984665640564039457584007913129639936';

test('an amount has at most 78 digits', () => {
  expect([77, 78, 79].map((digits) => AMOUNT_PATTERN.test('1'.repeat(digits)))).toEqual([true, true, false]);
});

test('the greatest 256-bit number is an amount, and the next number is not', () => {
  expect(AMOUNT_UNITS_MAX.toString()).toBe(WORD_MAX);
  expect([isAmount(WORD_MAX), isAmount(WORD_MAX_PLUS_ONE)]).toEqual([true, false]);
});

test.each(['', '-1', '+1', '01', '00', '1.0', '1e3', '0x10', ' 1', '1 ', '1\n', '1_000', '١', '9'.repeat(78), '1'.repeat(79)])(
  '%j is not an amount',
  (text) => {
    expect(isAmount(text)).toBe(false);
  },
);

test('every integer from zero to the greatest 256-bit number is an amount in its decimal form', () => {
  fc.assert(fc.property(fc.bigInt(0n, AMOUNT_UNITS_MAX), (units) => isAmount(units.toString())));
  fc.assert(fc.property(fc.bigInt(AMOUNT_UNITS_MAX + 1n, 10n ** 90n), (units) => !isAmount(units.toString())));
});

test.each([
  [1_000_000_000_000_000_000n, 18, 3_000_000_000n, '3000000000'],
  [1_000_000n, 6, 1_000_000n, '1000000'],
  [0n, 18, 3_000_000_000n, '0'],
  [5n, 0, 7n, '35'],
  [1n, 18, MICRO_PER_UNIT, '0.000000000001'],
  [1_500n, 3, 1n, '1.5'],
])('%s units of %s decimals at %s micro-units are worth exactly %s', (units, decimals, price, expected) => {
  expect(exactMicro(units, decimals, price)).toBe(expected);
});

const amounts = fc.bigInt(0n, AMOUNT_UNITS_MAX);
const assets = fc.record({ units: amounts, decimals: fc.integer({ min: 0, max: 77 }), price: fc.bigInt(0n, 10n ** 24n) });

test('a rounded value is at least the exact value, and less than one micro-unit above it', () => {
  fc.assert(
    fc.property(assets, ({ units, decimals, price }) => {
      const scale = 10n ** BigInt(decimals);
      const value = wholeMicro(exactMicro(units, decimals, price));
      expect(value * scale >= units * price && value * scale - units * price < scale).toBe(true);
    }),
  );
});

test('a sum of any number of values is exact and rounded once', () => {
  fc.assert(
    fc.property(fc.array(assets, { maxLength: 20 }), (entries) => {
      const sum = entries.reduce((parts, one) => parts + exactParts(exactMicro(one.units, one.decimals, one.price)), 0n);
      // The expected sum has one common denominator.
      const whole = 10n ** 77n;
      const exact = entries.reduce((all, one) => all + one.units * one.price * 10n ** BigInt(77 - one.decimals), 0n);
      expect(wholeMicro(ofParts(sum))).toBe((exact + whole - 1n) / whole);
    }),
  );
});
