import { NO_ORGANIZATION } from '../../../application/wallets/assets';
import { networkOf } from '../../../chains/networks';
import { priceStore } from '../../../entities/prices/price.store';
import { tokenStore } from '../../../entities/tokens/token.store';
import type { Price, PricedAsset } from '../../../vendors/prices/port';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { waitUntil } from '../../support/wait-until';

const NETWORK = 'EthereumSepolia';
const AGE_MAX_MS = 60_000;
const LISTED = networkOf(NETWORK).tokens.map(({ contract }) => contract);

let housekeeping: Housekeeping;
let answer: (asset: PricedAsset) => Promise<Price | undefined>;
const asked: (string | undefined)[] = [];
beforeAll(async () => {
  const priceOf = (asset: PricedAsset) => {
    asked.push(asset.contract);
    return answer(asset);
  };
  housekeeping = await openHousekeeping({ prices: { priceOf }, networks: [NETWORK], priceAgeMaxMs: AGE_MAX_MS });
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  asked.splice(0);
  answer = async () => undefined;
  await housekeeping.upset('DELETE FROM prices');
  await housekeeping.upset('DELETE FROM tokens');
});

const contractAt = (at: number): string => `0x${at.toString(16).padStart(40, '0')}`;
const pin = (from: number, count: number, network: 'EthereumSepolia' | 'Ethereum' = NETWORK) =>
  housekeeping.database.db.withOrg(NO_ORGANIZATION, async (tx) => {
    for (let at = from; at < from + count; at += 1) await tokenStore.pin(tx, network, contractAt(at), { decimals: 6 });
  });
const known = async (...contracts: readonly string[]) => [
  ...(await priceStore.valid(housekeeping.database.db.read(NO_ORGANIZATION), NETWORK, contracts)),
];

test('each native asset and listed token of a served network, and each token of a request, is asked for once', async () => {
  await pin(1, 2);
  await pin(3, 1, 'Ethereum');
  await housekeeping.database.db.withOrg(NO_ORGANIZATION, (tx) => tokenStore.pin(tx, NETWORK, LISTED[0] ?? '', { decimals: 6 }));
  answer = async ({ contract }) => (contract === undefined ? { usdMicro: 3_000_000_000n } : undefined);
  expect(await housekeeping.keep('refresh-prices')).toEqual({ looked: 3 + LISTED.length, done: 1 });
  expect(asked.sort()).toEqual([...LISTED, contractAt(1), contractAt(2), undefined].sort());
  expect(await known('', contractAt(1))).toEqual([['', { prices: { USD: 3_000_000_000n }, decimals: null }]]);
});

test('a price expires at the maximum age counted from its own date, and a later answer replaces the price in every currency', async () => {
  const dated =
    (ageMs: number, more: Partial<Price> = {}) =>
    async (): Promise<Price> => ({
      ...{ usdMicro: 5n, decimals: 6, ...more },
      date: new Date(Date.now() - ageMs),
    });
  answer = dated(AGE_MAX_MS + 1, { eurMicro: 4n });
  await housekeeping.keep('refresh-prices');
  expect(await known('')).toEqual([]);
  answer = dated(AGE_MAX_MS - 30_000, { eurMicro: 4n });
  await housekeeping.keep('refresh-prices');
  expect(await known('')).toEqual([['', { prices: { USD: 5n, EUR: 4n }, decimals: 6 }]]);
  answer = dated(0);
  await housekeeping.keep('refresh-prices');
  expect(await known('')).toEqual([['', { prices: { USD: 5n }, decimals: 6 }]]);
});

test('a price whose source no longer answers stays valid until the price expires, and no longer', async () => {
  answer = async () => ({ usdMicro: 7n, eurMicro: 6n, decimals: 18 });
  await housekeeping.keep('refresh-prices');
  answer = async () => undefined;
  await housekeeping.keep('refresh-prices');
  expect(await known('')).toEqual([['', { prices: { USD: 7n, EUR: 6n }, decimals: 18 }]]);
  await housekeeping.upset(
    `UPDATE prices SET date_until = clock_timestamp() - interval '1 millisecond' WHERE usd_micro IS NOT NULL`,
  );
  expect(await known('')).toEqual([]);
});

test('a token that has a price is asked for in each round, however many tokens have none', async () => {
  await pin(1, 1);
  answer = async () => ({ usdMicro: 7n });
  await housekeeping.keep('refresh-prices');
  await pin(2, 120);
  answer = async ({ contract }) => (contract === contractAt(1) ? { usdMicro: 8n } : undefined);
  const met = async () => {
    asked.splice(0);
    await housekeeping.keep('refresh-prices');
    return asked.filter((contract) => contract !== undefined && !LISTED.includes(contract));
  };
  const rounds = [await met(), await met(), await met()];
  expect(rounds.map((round) => round.length)).toEqual([51, 51, 51]);
  for (const round of rounds) expect(round).toContain(contractAt(1));
  expect(new Set(rounds.flat()).size).toBe(121);
});

test('a source gets at most eight requests at once', async () => {
  await pin(1, 30);
  const open: (() => void)[] = [];
  answer = () => new Promise((resolve) => open.push(() => resolve(undefined)));
  const round = housekeeping.keep('refresh-prices');
  const sizes: number[] = [];
  for (let left = 31 + LISTED.length; left > 0; left -= sizes.at(-1) ?? 0) {
    await waitUntil('the next requests', () => open.length >= Math.min(8, left));
    sizes.push(open.length);
    for (const release of open.splice(0)) release();
  }
  await round;
  expect(Math.max(...sizes)).toBe(8);
});
