import { networkOf } from '../../../../chains/networks';
import { newId } from '../../../../platform/ids';
import { answering, dateIn, knowing, type PriceAnswer } from '../../../support/price-source';
import { type PricedApi, startPricedApi } from '../../../support/priced-api';
import { faultAt, refusal, START_LIMIT_MS, type WalletBody } from '../../../support/wallet-api';

let wallets: PricedApi;
let wallet: WalletBody;
beforeAll(async () => {
  wallets = await startPricedApi();
  wallet = await wallets.createWallet();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());
beforeEach(() => wallets.forgetPrices());

const USDC = networkOf('EthereumSepolia').tokens[0]?.contract ?? '';
const CONFIDENTIAL = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
const get = (id: string, query = '', by = wallets.admin) => by.client.get(`/wallets/${id}/assets${query}`);
type Assets = { readonly assets: readonly object[]; readonly netWorth?: object };
const plain = async (id = wallet.id, by = wallets.admin): Promise<Assets> => (await get(id, '', by)).body;
const worth = async (by = wallets.admin, id = wallet.id): Promise<Assets> => (await get(id, '?netWorth=true', by)).body;
const walletOf = async ({ client }: PricedApi['admin']): Promise<WalletBody> =>
  (await client.change('POST', '/wallets', { network: 'EthereumSepolia' })).body;
const native = (balance: string) => ({ kind: 'Native', symbol: 'ETH', decimals: 18, verified: true, balance });
const usdc = (balance: string) => ({ kind: 'Erc20', contract: USDC, symbol: 'USDC', decimals: 6, verified: true, balance });
const holds = (nativeUnits: bigint, usdcUnits: bigint) => {
  wallets.node.nativeUnits = nativeUnits;
  wallets.node.tokens.set(USDC.toLowerCase(), { decimals: 6, symbol: 'USDC', balanceUnits: usdcUnits });
};
const shape = (nativeQuotes: object, usdcQuotes: object, total: object) => ({
  walletId: wallet.id,
  network: 'EthereumSepolia',
  assets: [
    { ...native(String(wallets.node.nativeUnits)), ...nativeQuotes },
    { ...usdc('5'), ...usdcQuotes },
  ],
  ...total,
});

test('200: the native balance in smallest units, and those tokens of the network’s record that the wallet holds', async () => {
  const context = { walletId: wallet.id, network: 'EthereumSepolia' };
  wallets.node.nativeUnits = 0n;
  expect((await get(wallet.id)).body).toEqual({ ...context, assets: [native('0')] });
  holds(123_456_789_012_345_678_901n, 5n);
  const assets = [native('123456789012345678901'), usdc('5')];
  expect((await get(wallet.id)).body).toEqual({ ...context, assets });
  expect(await worth()).toEqual({ ...context, assets });
});

test('200: with netWorth, each asset has its price and the sum is exact; without netWorth the answer has no prices', async () => {
  holds(123_456_789_012_345_678_901n, 5n);
  wallets.source.how = knowing({
    native: { usd: '3000.250001', eur: '2800.5' },
    [USDC]: { usd: '0.999999', eur: '0.93', decimals: 6 },
  });
  await wallets.refreshPrices();
  // Computed with Python's `decimal`, then as a `float`.
  const netWorth = { EUR: 345740.73763372406, USD: 370401.2313627469 };
  expect(await worth()).toEqual(
    shape({ quotes: { EUR: 2800.5, USD: 3000.250001 } }, { quotes: { EUR: 0.93, USD: 0.999999 } }, { netWorth }),
  );
  expect((await get(wallet.id)).body).toEqual(shape({}, {}, {}));
});

test('200: a currency that lacks the price of one asset has no sum, and an asset without a price has no quotes', async () => {
  holds(10n ** 18n, 5n);
  wallets.source.how = knowing({ native: { usd: '3000', eur: '2800' }, [USDC]: { usd: '1' } });
  await wallets.refreshPrices();
  expect(await worth()).toEqual(
    shape({ quotes: { EUR: 2800, USD: 3000 } }, { quotes: { USD: 1 } }, { netWorth: { USD: 3000.000005 } }),
  );
  await wallets.forgetPrices();
  wallets.source.how = knowing({ native: { usd: '3000' } });
  await wallets.refreshPrices();
  expect(await worth()).toEqual(shape({ quotes: { USD: 3000 } }, {}, {}));
});

test('200: a price whose decimals differ from those of the token is ignored', async () => {
  holds(10n ** 18n, 5n);
  wallets.source.how = knowing({ native: { usd: '3000', decimals: 18 }, [USDC]: { usd: '1', decimals: 18 } });
  await wallets.refreshPrices();
  expect(await worth()).toEqual(shape({ quotes: { USD: 3000 } }, {}, {}));
});

const saying = (usd: unknown, date = dateIn()): PriceAnswer => answering({ usd, date });

test.each<[string, () => PriceAnswer]>([
  ['a price of 0', () => saying('0')],
  ['a negative price', () => saying('-3000')],
  ['an absurd price', () => saying('1000000000000000')],
  ['an exponent', () => saying('1e3')],
  ['NaN', () => saying('NaN')],
  ['a number', () => saying(3000)],
  ['a stale price', () => saying('3000', dateIn(-61_000))],
  ['a price from the future', () => saying('3000', dateIn(65_000))],
  ['an error answer', () => answering({ usd: '3000', date: dateIn() }, 500)],
  ['silence', () => () => undefined],
  ['a broken connection', () => (_request, response) => void response.destroy()],
])('200: %s from the price source is not used, and the answer has no quotes', async (_title, how) => {
  holds(10n ** 18n, 5n);
  wallets.source.how = how();
  await wallets.refreshPrices();
  expect(await worth()).toEqual(shape({}, {}, {}));
});

test('200: a price is shown until it expires, even while the price source does not answer', async () => {
  holds(10n ** 18n, 5n);
  wallets.source.how = saying('2', dateIn(-30_000));
  await wallets.refreshPrices();
  const shown = shape({ quotes: { USD: 2 } }, { quotes: { USD: 2 } }, { netWorth: { USD: 2.00001 } });
  expect(await worth()).toEqual(shown);
  wallets.source.how = () => undefined;
  await wallets.refreshPrices();
  expect(await worth()).toEqual(shown);
  await wallets.api.database.arrange('UPDATE prices SET date_until = clock_timestamp() WHERE usd_micro IS NOT NULL', []);
  expect(await worth()).toEqual(shape({}, {}, {}));
});

test('200: a request does not query the price source, and another organisation sees the same prices', async () => {
  holds(10n ** 18n, 5n);
  wallets.source.how = knowing({ native: { usd: '3000' }, [USDC]: { usd: '1' } });
  await wallets.refreshPrices();
  const { length } = wallets.source.asked;
  const theirs = await walletOf(wallets.stranger);
  const mine = await worth();
  expect(await worth(wallets.stranger, theirs.id)).toEqual({ ...mine, walletId: theirs.id });
  expect(mine.netWorth).toEqual({ USD: 3000.000005 });
  expect(wallets.source.asked.length).toBe(length);
});

test('200: a token that hides its amounts is listed without a number, and no sum includes the token', async () => {
  holds(10n ** 18n, 0n);
  const token = { decimals: 6, symbol: 'cTST', balanceUnits: 0n };
  const hide = (handle: string) => wallets.node.tokens.set(CONFIDENTIAL.toLowerCase(), { ...token, handle });
  hide(`0x${'ab'.repeat(32)}`);
  wallets.source.how = knowing({ native: { usd: '3000' }, [CONFIDENTIAL]: { usd: '1' } });
  await wallets.refreshPrices();
  expect((await worth()).netWorth).toEqual({ USD: 3000 });
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const body = { kind: 'Erc7984', contract: CONFIDENTIAL, to, amount: '1' };
  expect((await wallets.admin.client.change('POST', `/wallets/${wallet.id}/transfers`, body)).status).toBe(200);
  await wallets.refreshPrices();
  const hidden = { kind: 'Erc7984', contract: CONFIDENTIAL, symbol: 'cTST', decimals: 6, verified: false, balance: 'Unknown' };
  const { assets, netWorth } = await worth();
  expect(assets).toEqual([
    { ...native(String(10n ** 18n)), quotes: { USD: 3000 } },
    { ...hidden, quotes: { USD: 1 } },
  ]);
  expect(netWorth).toBeUndefined();
  hide(`0x${'0'.repeat(64)}`);
  expect((await plain()).assets).toEqual([native(String(10n ** 18n))]);
});

test('200: a hidden token that the wallet has only received is listed if the registry describes the token', async () => {
  holds(10n ** 18n, 0n);
  const { id } = await wallets.createWallet();
  wallets.node.tokens.set(CONFIDENTIAL.toLowerCase(), {
    ...{ decimals: 6, symbol: 'cTST', balanceUnits: 0n, handle: `0x${'ab'.repeat(32)}` },
  });
  expect((await plain(id)).assets).toEqual([native(String(10n ** 18n))]);
  const abi = [{ type: 'function', name: 'confidentialBalanceOf', inputs: [{ name: 'account', type: 'address' }], outputs: [] }];
  const schema = { name: 'Confidential test', network: 'EthereumSepolia', contract: CONFIDENTIAL, abi };
  expect((await wallets.admin.client.change('POST', '/registry/contract-schemas', schema)).status).toBe(200);
  expect((await plain(id)).assets).toMatchObject([
    { kind: 'Native' },
    { kind: 'Erc7984', contract: CONFIDENTIAL, balance: 'Unknown' },
  ]);
  const theirs = await walletOf(wallets.stranger);
  expect((await plain(theirs.id, wallets.stranger)).assets).toEqual([native(String(10n ** 18n))]);
});

test('400: netWorth has a value other than true', async () => {
  for (const netWorth of ['yes', 'false', '', 'TRUE'])
    expect(await get(wallet.id, `?netWorth=${netWorth}`)).toMatchObject(
      refusal(400, 'InvalidRequest', faultAt('query.netWorth')),
    );
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  expect(await get(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(wallet.id, '?netWorth=true', wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await get(wallet.id, '?netWorth=true', person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('503: no node answers; 200 once a node answers again', async () => {
  wallets.node.isDown = true;
  expect(await get(wallet.id)).toMatchObject(refusal(503, 'NetworkUnavailable'));
  wallets.node.isDown = false;
  expect(await get(wallet.id)).toMatchObject({ status: 200 });
});
