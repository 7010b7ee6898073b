import { KeyEntity } from '../../../../entities/keys/key.entity';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';

let wallets: WalletApi;
let all: readonly WalletBody[];
beforeAll(async () => {
  wallets = await startWalletApi();
  all = [
    await wallets.createWallet({ tags: ['hot', 'eu'], externalId: 'a/1 &x', metadata: { team: 'a:b, c', region: 'eu' } }),
    await wallets.createWallet({ tags: ['hot'], metadata: { team: 'ops', region: 'eu' } }),
    await wallets.createWallet({ tags: ['solo'], metadata: { solo: 'x' } }),
  ];
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

type Page = { readonly items: readonly WalletBody[]; readonly nextPageToken?: string };
const list = (query: string, by = wallets.admin) => by.client.get(`/wallets${query}`);
const page = async (query: string, by = wallets.admin): Promise<Page> => {
  const answer = await list(query, by);
  expect(answer.status).toBe(200);
  return answer.body;
};
const positions = async (query: string, by = wallets.admin) =>
  (await page(query, by)).items.map(({ id }) => all.findIndex((wallet) => wallet.id === id));

test('200: every wallet, newest first, with the members that getWallet returns', async () => {
  expect(await page('')).toEqual({ items: [...all].reverse() });
  expect(await page('/')).toEqual({ items: [...all].reverse() });
});

test('200: pages follow each other without gaps or duplicates, and the last page has no token', async () => {
  const first = await page('?limit=2');
  expect(first.items).toHaveLength(2);
  const token = encodeURIComponent(first.nextPageToken ?? '');
  expect(await page(`?limit=2&paginationToken=${token}`)).toEqual({ items: [all[0]] });
  expect(await page('?limit=3')).not.toHaveProperty('nextPageToken');
});

test.each([
  ['?network=EthereumSepolia', [2, 1, 0]],
  ['?network=Bitcoin', []],
  [`?externalId=${encodeURIComponent('a/1 &x')}`, [0]],
  ['?externalId=%27%20OR%20true--', []],
  ['?tags=hot', [1, 0]],
  ['?tags=hot&tags=eu', [0]],
  ['?tags=hot,eu', [0]],
  ['?tags=none', []],
  ['?tags=hot&tags=hot', [1, 0]],
  ['?tags=hot&tags=none', []],
  ['?tags=solo&tags=hot', []],
  ['?metadata=solo:x&metadata=region:eu', []],
  ['?metadata=region:eu', [1, 0]],
  ['?metadata=region:eu&metadata=team:ops', [1]],
  ['?metadata=region:eu&metadata=team:none', []],
  [`?metadata=${encodeURIComponent('team:a:b, c')}`, [0]],
  ['?metadata=team:eu', []],
  ['?metadata=region:eu&tags=eu', [0]],
  ['?status=Active', [2, 1, 0]],
  ['?status=Archived', []],
  ['?owner=nobody', []],
])('200: %s filters the list', async (query, expected) => {
  expect(await positions(query)).toEqual(expected);
});

test('200: assetSymbol and holdsTokens find wallets by the balances that the service has read', async () => {
  const write = (position: number, contract: string, symbol: string, units: number | null) =>
    wallets.api.database.arrange(
      `INSERT INTO holdings (org_id, wallet_id, contract, network, symbol, units) VALUES ($1, $2, $3, 'EthereumSepolia', $4, $5)`,
      [wallets.orgId, all[position]?.id, contract, symbol, units],
    );
  await write(0, '', 'ETH', 1);
  await write(0, '0x1', 'USDC', 0);
  await write(1, '0x1', 'USDC', 7);
  await write(2, '', 'ETH', null);
  expect(await positions('?assetSymbol=ETH')).toEqual([0]);
  expect(await positions('?assetSymbol=USDC')).toEqual([1]);
  expect(await positions('?holdsTokens=true')).toEqual([1, 0]);
  expect(await positions('?holdsTokens=true&assetSymbol=ETH')).toEqual([0]);
  expect(await positions('?holdsTokens=true&tags=eu&metadata=region:eu&network=EthereumSepolia')).toEqual([0]);
  expect(await page('?holdsTokens=true', wallets.stranger)).toEqual({ items: [] });
});

test('200: an owner is the user to whom the key is delegated, by id or username', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  await wallets.api.database.db.withOrg(wallets.orgId, (tx) =>
    tx.update(KeyEntity, { id: all[1]?.signingKey.id ?? '' }, { delegatedTo: endUser.userId }),
  );
  for (const query of [
    `owner=${endUser.userId}`,
    `owner=${endUser.username}`,
    `ownerId=${endUser.userId}`,
    `ownerUsername=${endUser.username}`,
  ]) {
    expect([query, await positions(`?${query}`)]).toEqual([query, [1]]);
  }
  expect(await positions('', endUser)).toEqual([1]);
});

test('200: another organisation sees none of the wallets', async () => {
  expect(await page('', wallets.stranger)).toEqual({ items: [] });
});

test.each([
  ['query.limit', '?limit=0'],
  ['query.limit', '?limit=501'],
  ['query.limit', '?limit=2.5'],
  ['query.network', '?network=Nowhere'],
  ['query.network', '?network=Bitcoin&network=Solana'],
  ['query.status', '?status=active'],
  ['query.tags.0', '?tags=a%20b'],
  ['query.holdsTokens', '?holdsTokens=false'],
  ['query.assetSymbol', '?assetSymbol='],
  ['query.metadata.0.1', '?metadata=team'],
  ['query.metadata.0.0', '?metadata=:x'],
  ['query.metadata', `?${'metadata=a:b&'.repeat(11)}`],
  ['query.externalId', '?externalId=%00'],
  ['query.owner', '?owner='],
  ['query.colour', '?colour=red'],
])('400: the error reports %s for %s', async (path, query) => {
  expect(await list(query)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('400: a page token that is not valid', async () => {
  expect(await list('?paginationToken=AAAA')).toMatchObject(refusal(400, 'InvalidPaginationToken'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await list('', person)).toMatchObject(refusal(403, 'Forbidden'));
});
