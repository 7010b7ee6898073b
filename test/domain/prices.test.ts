import { type Holding, type MicroPrices, netWorthOf, quotesOf } from '../../domain/prices';

const micro = (usd: string): bigint => {
  const [whole = '', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};
const held = (units: string | null, decimals: number, prices: MicroPrices): Holding => ({
  balanceUnits: units === null ? null : BigInt(units),
  decimals,
  prices,
});
const usd = (units: string | null, decimals: number, price: string): Holding => held(units, decimals, { USD: micro(price) });

/** The exact values come from Python's `decimal` at 400 digits, the last column from its `float`. */
test.each<[string, [string, number, string][], string, number]>([
  ['no decimals', [['12345678901234567890123', 0, '0.000001']], '12345678901234567.890123', 1.2345678901234568e16],
  ['18 decimals', [['123456789012345678901', 18, '3000.250001']], '370401.231357746912135070928901', 370401.23135774693],
  ['24 decimals', [['7000000000000000000000001', 24, '1.5']], '10.5000000000000000000000015', 10.5],
  [
    'the greatest balance at the greatest price',
    [['115792089237316195423570985008687907853269984665640564039457584007913129639935', 18, '999999999999999.999999']],
    '115792089237316195423455192919450591657846413680631876131604314023247489075.895542415992086870360065',
    1.157920892373162e74,
  ],
  [
    'decimals of all sizes together',
    [
      ['1', 18, '0.000001'],
      ['1606938044258990275541962092341162602522202993782792835301377', 24, '123456.654321'],
      ['3', 0, '19.99'],
      ['100000000000000000', 77, '1'],
    ],
    '198387194645345961044084554964248793018896.307730833567225757586145300017000000000000000000000000000001',
    1.9838719464534598e41,
  ],
  [
    'a sum that is 0.030000000000000006 in floating point',
    [
      ['1', 1, '0.1'],
      ['2', 1, '0.1'],
    ],
    '0.03',
    0.03,
  ],
])('the worth of holdings is exact: %s', (_title, holdings, exact, rendered) => {
  const worth = netWorthOf(holdings.map((one) => usd(...one)));
  expect(worth).toEqual({ USD: exact });
  expect(Number(worth.USD)).toBe(rendered);
});

test('a holding of unknown worth in a currency makes the sum in that currency unknown', () => {
  const both = held('5', 0, { USD: micro('2'), EUR: micro('1.5') });
  expect(netWorthOf([both, held('1', 0, { USD: micro('1') })])).toEqual({ USD: '11' });
  expect(netWorthOf([both, held('1', 0, {})])).toEqual({});
  expect(netWorthOf([both, held('1', 0, { EUR: micro('1') })])).toEqual({ EUR: '8.5' });
});

test('a zero balance is worth zero even without a price, and an unreadable balance makes the sum unknown', () => {
  expect(netWorthOf([usd('5', 0, '2'), held('0', 18, {})])).toEqual({ USD: '10' });
  expect(netWorthOf([usd('5', 0, '2'), usd(null, 6, '1')])).toEqual({});
});

test('a token with more decimals than a value can hold makes the sum unknown', () => {
  expect(netWorthOf([usd('1', 77, '1')])).toEqual({ USD: `0.${'0'.repeat(76)}1` });
  expect(netWorthOf([usd('1', 78, '1')])).toEqual({});
});

test('without any price, the worth is unknown, even of an empty wallet', () => {
  expect(netWorthOf([held('0', 18, {})])).toEqual({});
  expect(netWorthOf([usd('0', 18, '3000')])).toEqual({ USD: '0' });
});

test('quotes are exact and list only known prices', () => {
  expect(quotesOf({ USD: 3_000_250_001n, EUR: 1n })).toEqual({ USD: '3000.250001', EUR: '0.000001' });
  expect(quotesOf({ USD: micro('1') })).toEqual({ USD: '1' });
  expect(quotesOf({})).toEqual({});
});
