import { createAgreedPrices } from '../../../vendors/prices/agreed';
import type { Price } from '../../../vendors/prices/port';

const of = (usdMicro: bigint, decimals?: number): Price => ({ usdMicro, ...(decimals === undefined ? {} : { decimals }) });

async function agreed(...answers: readonly (Price | undefined)[]) {
  const onDivergence = jest.fn();
  const sources = answers.map((answer) => ({ priceOf: async () => answer }));
  const prices = createAgreedPrices({ sources, divergencePercentMax: 5, onDivergence });
  return { price: await prices.priceOf({ network: 'EthereumSepolia' }), told: onDivergence.mock.calls.length };
}

test('the higher price of two sources is returned, in either order', async () => {
  expect(await agreed(of(100n), of(103n))).toEqual({ price: of(103n), told: 0 });
  expect(await agreed(of(103n), of(100n))).toEqual({ price: of(103n), told: 0 });
});

test('two prices that differ by exactly the bound agree, and a millionth more is a disagreement', async () => {
  expect(await agreed(of(100_000_000n), of(105_000_000n))).toEqual({ price: of(105_000_000n), told: 0 });
  expect(await agreed(of(100_000_000n), of(105_000_001n))).toEqual({ price: undefined, told: 1 });
  expect(await agreed(of(105_000_001n), of(100_000_000n))).toEqual({ price: undefined, told: 1 });
});

test('no price is known if one of two sources has no price', async () => {
  expect(await agreed(of(100n), undefined)).toEqual({ price: undefined, told: 0 });
  expect(await agreed(undefined, of(100n))).toEqual({ price: undefined, told: 0 });
  expect(await agreed(undefined, undefined)).toEqual({ price: undefined, told: 0 });
});

test('the price of a single source is returned, and without a source no price is known', async () => {
  expect(await agreed(of(7n, 18))).toEqual({ price: of(7n, 18), told: 0 });
  expect(await agreed(undefined)).toEqual({ price: undefined, told: 0 });
  expect(await agreed()).toEqual({ price: undefined, told: 0 });
});

test('no price is known if two sources report different decimals for a token', async () => {
  expect(await agreed(of(100n, 6), of(100n, 18))).toEqual({ price: undefined, told: 1 });
  expect(await agreed(of(100n, 6), of(101n))).toEqual({ price: of(101n, 6), told: 0 });
});

test('a price in euros is returned only if all sources agree on it; the price in dollars is returned in any case', async () => {
  const both = (eurMicro: bigint): Price => ({ usdMicro: 100n, eurMicro });
  expect(await agreed(both(90n), both(92n))).toEqual({ price: both(92n), told: 0 });
  expect(await agreed(both(90n), both(95n))).toEqual({ price: of(100n), told: 0 });
  expect(await agreed(both(90n), of(100n))).toEqual({ price: of(100n), told: 0 });
});

test('an agreed price has the date of its oldest source', async () => {
  const at = (ms: number): Price => ({ usdMicro: 100n, date: new Date(ms) });
  expect((await agreed(at(2_000), at(1_000))).price).toEqual(at(1_000));
  expect((await agreed(of(100n), at(1_000))).price).toEqual(at(1_000));
});
