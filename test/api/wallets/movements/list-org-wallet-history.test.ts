import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';
import { writeMovements } from '../../../support/written-movements';

const HEADER =
  'timestamp,walletId,network,direction,from,to,amount,tokenId,asset,symbol,decimals,fee,feeSymbol,feeDecimals,txHash';
const TOKEN = '0x8464135c8F25Da09e49BC8782676a84730C318bC';

let wallets: WalletApi;
let own: readonly WalletBody[];
beforeAll(async () => {
  wallets = await startWalletApi();
  own = [await wallets.createWallet(), await wallets.createWallet()];
  const [first, second] = own.map(({ id }) => id) as [string, string];
  await writeMovements(wallets.api.database.db, wallets.orgId, [
    { subjectId: first },
    { subjectId: second, direction: 'Out', feeUnits: '21000' },
    { subjectId: first, kind: 'Erc20Transfer', contract: TOKEN, symbol: '=cmd()', decimals: 6, isVerified: false },
    { subjectId: second, kind: 'Erc721Transfer', contract: TOKEN, tokenId: '8', amountUnits: null, symbol: null, decimals: null },
  ]);
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

type Item = { readonly timestamp: string; readonly walletId: string };
type Page = { readonly orgId: string; readonly items: readonly Item[]; readonly nextPageToken?: string };
const ALL = { startTime: '2026-03-01T00:00:00Z', endTime: '2026-03-01T03:00:00Z' };
const ask = async (query: Readonly<Record<string, string>>, accept = 'application/json', by = wallets.admin) => {
  const response = await fetch(`${wallets.api.url}/wallets/all/history?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${by.token}`, accept },
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, text };
};
const page = async (query: Readonly<Record<string, string>>) => JSON.parse((await ask(query)).text) as Page;

test('200: JSON has the movements of all wallets in the period, both ends included, oldest first', async () => {
  const { orgId, items } = await page(ALL);
  expect(orgId).toBe(wallets.orgId);
  expect(items.map(({ walletId }) => walletId)).toEqual([own[0]?.id, own[1]?.id, own[0]?.id, own[1]?.id]);
  expect(items[0]).toEqual({
    ...{ timestamp: '2026-03-01T00:00:00.000Z', walletId: own[0]?.id, network: 'EthereumSepolia', direction: 'In' },
    ...{ from: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1', to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    ...{ amount: '7', asset: 'Native', symbol: 'ETH', decimals: '18', txHash: expect.stringMatching(/^0x/) },
  });
  expect(items[1]).toMatchObject({ direction: 'Out', fee: '21000', feeSymbol: 'ETH', feeDecimals: '18' });
  expect(items[3]).toMatchObject({ asset: TOKEN, tokenId: '8' });
  expect(items[3]).not.toHaveProperty('amount');
  expect((await page({ ...ALL, startTime: '2026-03-01T00:00:00.001Z', endTime: '2026-03-01T02:59:59.999Z' })).items).toHaveLength(
    2,
  );
});

test('200: pages of JSON follow each other without a gap or a repetition', async () => {
  const seen: string[] = [];
  for (let token: string | undefined, more = true; more; more = token !== undefined) {
    const found = await page({ ...ALL, limit: '3', ...(token === undefined ? {} : { paginationToken: token }) });
    seen.push(...found.items.map(({ timestamp }) => timestamp));
    token = found.nextPageToken;
  }
  expect(seen).toEqual([0, 1, 2, 3].map((hour) => `2026-03-01T0${hour}:00:00.000Z`));
});

test('200: CSV has one line per movement, and no cell that a spreadsheet evaluates', async () => {
  const { status, type, text, headers } = await ask(ALL, 'text/csv');
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('x-svc-result-truncated')).toBeNull();
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe(HEADER);
  expect(lines[3]).toContain(`,'=cmd(),6,`);
});

test('200: another organisation sees none of them', async () => {
  expect(JSON.parse((await ask(ALL, 'application/json', wallets.stranger)).text)).toEqual({
    orgId: wallets.stranger.orgId,
    items: [],
  });
});

test.each([
  [{ endTime: ALL.endTime }, 'query.startTime'],
  [{ startTime: ALL.startTime }, 'query.endTime'],
  [{ startTime: ALL.endTime, endTime: ALL.startTime }, 'query.endTime'],
  [{ ...ALL, startTime: 'yesterday' }, 'query.startTime'],
  [{ ...ALL, limit: '501' }, 'query.limit'],
])('400: %j', async (query, path) => {
  const { status, text } = await ask(query as Readonly<Record<string, string>>);
  expect({ status, ...JSON.parse(text).error }).toMatchObject({ status: 400, id: 'InvalidRequest', details: faultAt(path) });
});

test('400: a pagination token of another list', async () => {
  const history = (await wallets.admin.client.get(`/wallets/${own[0]?.id}/history?limit=1`)).body as { nextPageToken: string };
  const { status, text } = await ask({ ...ALL, paginationToken: history.nextPageToken });
  expect({ status, ...JSON.parse(text).error }).toMatchObject({ status: 400, id: 'InvalidPaginationToken' });
});

test('401 and 403: without a token, and for an end user', async () => {
  const url = `${wallets.api.url}/wallets/all/history?${new URLSearchParams(ALL)}`;
  expect((await fetch(url)).status).toBe(401);
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser', operations: ['Wallets:Read'] });
  expect(await endUser.client.get(`/wallets/all/history?${new URLSearchParams(ALL)}`)).toMatchObject(refusal(403, 'Forbidden'));
});
