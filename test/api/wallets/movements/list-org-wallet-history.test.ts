import { EXPORT_ROWS_MAX } from '../../../../application/movements/history';
import { movementStore } from '../../../../entities/movements/movement.store';
import { cutOff, exported, tokenOf, withoutToken } from '../../../support/exports';
import { asSuperuser } from '../../../support/roles';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';
import { writeMovements } from '../../../support/written-movements';

const HEADER =
  'timestamp,walletId,network,direction,from,to,amount,tokenId,asset,symbol,decimals,fee,feeSymbol,feeDecimals,txHash,paginationToken';
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

test('200: JSON contains the movements of all wallets, oldest first, including both ends of the period', async () => {
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

test('200: pages of JSON follow each other without gaps or duplicates', async () => {
  const seen: string[] = [];
  for (let token: string | undefined, more = true; more; more = token !== undefined) {
    const found = await page({ ...ALL, limit: '3', ...(token === undefined ? {} : { paginationToken: token }) });
    seen.push(...found.items.map(({ timestamp }) => timestamp));
    token = found.nextPageToken;
  }
  expect(seen).toEqual([0, 1, 2, 3].map((hour) => `2026-03-01T0${hour}:00:00.000Z`));
});

test('200: CSV contains one line per movement, and no cell that a spreadsheet evaluates', async () => {
  const { status, type, text, headers } = await ask(ALL, 'text/csv');
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('x-svc-result-truncated')).toBeNull();
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe(HEADER);
  expect(lines[3]).toContain(`,'=cmd(),6,`);
});

const ELSEWHERE = { startTime: '2027-01-01T00:00:00Z', endTime: '2027-01-02T00:00:00Z' };
const SYMBOLS = ['=cmd()', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', 'A\n# TRUNCATED', 'A,"B"'];

test('200: a symbol that a stranger chose stays one cell of one line, and is never a formula', async () => {
  const subjectId = own[0]?.id ?? '';
  const mined = (at: number) => new Date(new Date(ELSEWHERE.startTime).getTime() + at);
  const rows = SYMBOLS.map((symbol, at) => ({ subjectId, symbol, contract: TOKEN, dateMined: mined(at) }));
  await writeMovements(wallets.api.database.db, wallets.orgId, rows);
  const { text, lines } = await exported(urlOf(ELSEWHERE), wallets.admin.token);
  expect(text.split('\n')).toHaveLength(SYMBOLS.length + 2);
  const cells = lines.slice(1).map((line) => line.split(`,${TOKEN},`)[1]?.replace(/,18,,,,0x\w+$/, ''));
  expect(cells).toEqual([`'=cmd()`, `'+1`, `'-1`, `'@SUM(A1)`, `'\t=1`, ' =1', `'＝1`, 'A # TRUNCATED', '"A,""B"""']);
});

const urlOf = (query: object) => `${wallets.api.url}/wallets/all/history?${new URLSearchParams({ ...query })}`;
const LONG = { startTime: '2028-01-01T00:00:00Z', endTime: '2028-01-02T00:00:00Z' };
/** Writes movements one millisecond apart. The first movement is one millisecond after the start of the period. */
const many = (subjectId: string, prefix: string, startTime: string, count: number) =>
  asSuperuser(
    (superuser) =>
      superuser.query(
        `INSERT INTO movements (org_id, subject_id, id, network, direction, kind, status, block_height, block_hash, date_mined,
           tx_hash, ordinal, place, is_verified)
         SELECT $1, $2, $5 || lpad(n::text, 12, '0'), 'EthereumSepolia', 'In', 'NativeTransfer', 'Included', n, '0xab',
           $3::timestamptz + n * interval '1 millisecond', '0x' || n, 'value', 0, true
         FROM generate_series(1, $4) n`,
        [wallets.orgId, subjectId, startTime, count, prefix],
      ),
    wallets.api.database.name,
  );

test('200: an export of exactly the allowed number of movements is complete; a longer export is cut off and reports this', async () => {
  await many(own[1]?.id ?? '', 'ce-a', LONG.startTime, EXPORT_ROWS_MAX + 1);
  const { token } = wallets.admin;
  const whole = await exported(urlOf({ ...LONG, startTime: '2028-01-01T00:00:00.002Z' }), token);
  expect([whole.headers.has('x-svc-result-truncated'), whole.headers.get('strongroom-rows')]).toEqual([false, '100000']);
  expect(new Set(whole.lines).size).toBe(100_001);
  const cut = await exported(urlOf(LONG), token);
  expect([cut.headers.get('x-svc-result-truncated'), cut.headers.get('strongroom-rows')]).toEqual(['true', '100000']);
  expect(cut.lines).toHaveLength(100_002);
  expect(cut.lines.at(-1)).toBe('# TRUNCATED: the period has more than 100000 entries');
  expect(cut.lines.at(-2)?.endsWith(',0x100000')).toBe(true);
});

const SHORT = { startTime: '2029-01-01T00:00:00Z', endTime: '2029-01-02T00:00:00Z' };

test('200: CSV that was cut off can be continued without gaps or duplicates, while blocks are read and a reorganisation moves rows', async () => {
  const { token } = wallets.admin;
  const { db } = wallets.api.database;
  const subjectId = own[1]?.id ?? '';
  await many(subjectId, 'ce-b', SHORT.startTime, 5_000);
  const whole = (await exported(urlOf(SHORT), token)).lines.slice(1);
  const first = (await cutOff(urlOf(SHORT), token, 400_000)).slice(1);
  expect(first.length).toBeGreaterThan(1_000);
  expect(first.length).toBeLessThan(5_000);

  // Row 1 moves from before the cut to after it, and a new row is inserted on each side of the cut.
  const late = new Date('2029-01-01T00:00:04.900Z');
  const [moved] = await db.withOrg(wallets.orgId, (tx) =>
    tx.query<Parameters<typeof movementStore.put>[1][number]>(
      `UPDATE movements SET status = 'Withdrawn' WHERE org_id = $1 AND subject_id = $2 AND id = 'ce-b000000000001'
       RETURNING subject_id AS "subjectId", id, network, direction, kind, block_height AS "blockHeight", block_hash AS "blockHash",
         tx_hash AS "txHash", ordinal, place, is_verified AS "isVerified", is_reverted AS "isReverted"`,
      [wallets.orgId, subjectId],
    ),
  );
  await db.withOrg(wallets.orgId, (tx) => movementStore.put(tx, moved ? [{ ...moved, dateMined: late }] : []));
  await writeMovements(db, wallets.orgId, [
    { subjectId, dateMined: new Date('2029-01-01T00:00:00.001Z') },
    { subjectId, dateMined: late },
  ]);

  const rest = await exported(urlOf({ ...SHORT, paginationToken: tokenOf(first.at(-1) ?? '') }), token);
  expect([...first.map(withoutToken), ...rest.lines]).toEqual(whole);
  expect(rest.headers.get('strongroom-rows')).toBe(String(5_000 - first.length));
  const again = await exported(
    urlOf({ ...SHORT, startTime: '2029-01-01T00:00:04.900Z', endTime: '2029-01-01T00:00:04.900Z' }),
    token,
  );
  expect([again.status, again.lines.filter((line) => line.endsWith(',0x1')).length]).toEqual([200, 1]);
});

test('200: another organisation sees none of the movements', async () => {
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

test('400: a page token from another list', async () => {
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
