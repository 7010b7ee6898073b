import { createCachedPrices } from '../../../vendors/prices/cached';
import type { Price, PricedAsset } from '../../../vendors/prices/port';

const ETHER: PricedAsset = { network: 'EthereumSepolia' };

function cached(answer: () => Promise<Price | undefined> = async () => ({ usdMicro: 1n })) {
  const clock = { now: 0 };
  const priceOf = jest.fn(answer);
  return { clock, priceOf, prices: createCachedPrices({ priceOf }, { keptMs: 1_000, now: () => clock.now }) };
}

test('a known price is kept for its lifetime, counted from the request', async () => {
  const { clock, priceOf, prices } = cached();
  await prices.priceOf(ETHER);
  clock.now = 999;
  await prices.priceOf(ETHER);
  expect(priceOf).toHaveBeenCalledTimes(1);
  clock.now = 1_000;
  await prices.priceOf(ETHER);
  expect(priceOf).toHaveBeenCalledTimes(2);
});

test('an unknown price replaces a known price, and is requested again at the next call', async () => {
  const answers: (Price | undefined)[] = [{ usdMicro: 5n }, undefined, { usdMicro: 6n }];
  const { clock, prices } = cached(async () => answers.shift());
  expect(await prices.priceOf(ETHER)).toEqual({ usdMicro: 5n });
  clock.now = 1_000;
  expect(await prices.priceOf(ETHER)).toBeUndefined();
  expect(await prices.priceOf(ETHER)).toEqual({ usdMicro: 6n });
});

test('simultaneous calls make one request to the source, and a failure does not affect the next call', async () => {
  let fails = true;
  const { priceOf, prices } = cached(async () => {
    if (fails) throw new Error('no');
    return { usdMicro: 1n };
  });
  const failed = await Promise.allSettled([prices.priceOf(ETHER), prices.priceOf(ETHER)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(priceOf).toHaveBeenCalledTimes(1);
  fails = false;
  expect(await prices.priceOf(ETHER)).toEqual({ usdMicro: 1n });
});

test('assets are distinguished by network and contract, and the case of a contract does not matter', async () => {
  const { priceOf, prices } = cached();
  await prices.priceOf({ network: 'Ethereum' });
  await prices.priceOf({ network: 'Ethereum', contract: '0xAB' });
  await prices.priceOf({ network: 'Ethereum', contract: '0xab' });
  await prices.priceOf(ETHER);
  expect(priceOf).toHaveBeenCalledTimes(3);
});

test('of ten thousand and one assets, the oldest is removed from the cache', async () => {
  const { priceOf, prices } = cached();
  for (let at = 0; at <= 10_000; at += 1) await prices.priceOf({ network: 'Ethereum', contract: `0x${at}` });
  await prices.priceOf({ network: 'Ethereum', contract: '0x1' });
  expect(priceOf).toHaveBeenCalledTimes(10_001);
  await prices.priceOf({ network: 'Ethereum', contract: '0x0' });
  expect(priceOf).toHaveBeenCalledTimes(10_002);
});
