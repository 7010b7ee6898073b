import { networkOf } from '../../../../chains/networks';
import { balanceSweepStore } from '../../../../entities/scans/balance-sweep.store';
import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';
import { writeMovements } from '../../../support/written-movements';

const NFT = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const OWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let wallets: WalletApi;
let wallet: WalletBody;
let usdc: string;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet();
  usdc = networkOf('EthereumSepolia').tokens[0]?.contract ?? '';
  const subjectId = wallet.id;
  await writeMovements(wallets.api.database.db, wallets.orgId, [
    { subjectId, quotes: { USD: '3000.25', EUR: '2800.5' } },
    { subjectId, direction: 'Out', fromAddress: OWN, toAddress: STRANGER, feeUnits: '21000', feeQuotes: { USD: '3000.25' } },
    {
      subjectId,
      kind: 'Erc20Transfer',
      contract: usdc,
      amountUnits: '5',
      symbol: 'USDC',
      decimals: 6,
      ordinal: 'log:3',
      logIndex: '41',
    },
    { subjectId, kind: 'Erc20Transfer', contract: NFT, amountUnits: '9', symbol: null, decimals: null, isVerified: false },
    {
      subjectId,
      kind: 'Erc721Transfer',
      contract: NFT,
      tokenId: '8',
      amountUnits: null,
      symbol: null,
      decimals: null,
      isVerified: false,
    },
    { subjectId, kind: 'Erc7984Transfer', contract: NFT, amountUnits: null, symbol: 'CUSD', decimals: 6, isVerified: false },
  ]);
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

test('200: a header reports that a balance of the wallet differed from its movements; answers for other wallets lack the header', async () => {
  const other = await wallets.createWallet();
  const warningOf = async (id: string) => {
    const { status, headers } = await wallets.admin.client.get(`/wallets/${id}/history`);
    return [status, headers.get('strongroom-warning')];
  };
  expect(await warningOf(other.id)).toEqual([200, null]);
  const told = { subjectId: other.id, network: 'EthereumSepolia', contract: '', cause: 'Unexplained' } as const;
  await wallets.api.database.db.withOrg(wallets.orgId, (tx) =>
    balanceSweepStore.tell(tx, { ...told, fromHeight: '8', toHeight: '9', expectedUnits: '-1', foundUnits: '2' }),
  );
  const warning = 'Unexplained: 1 differences between balances and movements, the last one up to block 9';
  expect(await warningOf(other.id)).toEqual([200, warning]);
  expect(await warningOf(wallet.id)).toEqual([200, null]);
});

type Page = {
  readonly items: readonly { readonly kind: string; readonly blockNumber: number }[];
  readonly nextPageToken?: string;
};
const get = (query = '', id = wallet.id, by = wallets.admin) => by.client.get(`/wallets/${id}/history${query}`);
const kinds = async (query: string) => ((await get(query)).body as Page).items.map(({ kind }) => kind);

test('200: newest first, each kind of movement has the members of the published interface, and no member is null', async () => {
  const common = {
    walletId: wallet.id,
    network: 'EthereumSepolia',
    direction: 'In',
    txHash: expect.stringMatching(/^0x/),
    status: 'Included',
  };
  const [confidential, unique, unnamed, token, sent, received] = ((await get()).body as Page).items;
  const parties = { from: STRANGER, to: OWN };
  expect(received).toEqual({
    ...{ ...common, ...parties, kind: 'NativeTransfer', blockNumber: 1000, timestamp: '2026-03-01T00:00:00.000Z', value: '7' },
    metadata: { asset: { symbol: 'ETH', decimals: 18, verified: true, quotes: { USD: 3000.25, EUR: 2800.5 } } },
    ...{ symbol: 'ETH', decimals: 18, verified: true },
  });
  expect(sent).toMatchObject({
    ...{ ...common, direction: 'Out', from: OWN, to: STRANGER, fee: '21000' },
    metadata: { fee: { symbol: 'ETH', decimals: 18, verified: true, quotes: { USD: 3000.25 } } },
  });
  expect(token).toMatchObject({
    ...common,
    ...parties,
    kind: 'Erc20Transfer',
    contract: usdc,
    index: '41',
    value: '5',
    decimals: 6,
  });
  expect(unnamed).toMatchObject({
    kind: 'Erc20Transfer',
    decimals: 0,
    verified: false,
    metadata: { asset: { verified: false } },
  });
  expect(unnamed).not.toHaveProperty('symbol');
  expect(unique).toMatchObject({ kind: 'Erc721Transfer', contract: NFT, tokenId: '8' });
  expect(unique).not.toHaveProperty('value');
  expect(confidential).toMatchObject({ kind: 'Erc7984Transfer', value: 'Unknown', decimals: 6 });
});

test('200: pages follow each other without gaps or duplicates, and the last page has no token', async () => {
  const seen: number[] = [];
  for (let token: string | undefined, more = true; more; more = token !== undefined) {
    const page = (await get(`?limit=4${token === undefined ? '' : `&paginationToken=${token}`}`)).body as Page;
    seen.push(...page.items.map(({ blockNumber }) => blockNumber));
    token = page.nextPageToken;
  }
  expect(seen).toEqual([1005, 1004, 1003, 1002, 1001, 1000]);
});

test('200: the filters combine, and a kind of movement from another family of networks finds nothing', async () => {
  expect(await kinds('?direction=Out')).toEqual(['NativeTransfer']);
  expect(await kinds('?kind=Erc20Transfer')).toEqual(['Erc20Transfer', 'Erc20Transfer']);
  expect(await kinds(`?kind=Erc20Transfer&contract=${usdc}`)).toEqual(['Erc20Transfer']);
  expect(await kinds(`?kind=Erc721Transfer&contract=${usdc}`)).toEqual([]);
  expect(await kinds('?kind=UtxoTransfer')).toEqual([]);
});

test('200: a movement that a reorganisation has removed is left out, and the history of another wallet is empty', async () => {
  const other = await wallets.createWallet();
  const [written] = await writeMovements(wallets.api.database.db, wallets.orgId, [{ subjectId: other.id }]);
  expect(((await get('', other.id)).body as Page).items).toHaveLength(1);
  await wallets.api.database.arrange(`UPDATE movements SET status = 'Withdrawn' WHERE id = $1`, [written?.id]);
  expect((await get('', other.id)).body).toEqual({ items: [], walletId: other.id, network: 'EthereumSepolia' });
});

test.each([
  ['?direction=Up', 'query.direction'],
  ['?kind=Erc1155Transfer', 'query.kind'],
  ['?limit=501', 'query.limit'],
  ['?contract=', 'query.contract'],
])('400: %s', async (query, path) => {
  expect(await get(query)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('400: an invalid page token, or a page token from another list', async () => {
  const list = (await wallets.admin.client.get('/wallets?limit=1')).body as { nextPageToken?: string };
  for (const token of ['nonsense', list.nextPageToken ?? ''])
    expect(await get(`?paginationToken=${token}`)).toMatchObject(refusal(400, 'InvalidPaginationToken'));
});

test('404: a wallet that is unknown, belongs to another organisation, or is not delegated to the end user', async () => {
  expect(await get('', newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get('', wallet.id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser', operations: ['Wallets:Read'] });
  expect(await get('', wallet.id, endUser)).toMatchObject(refusal(404, 'NotFound'));
});

test('401 and 403: without a token, and without the permission', async () => {
  expect((await fetch(`${wallets.api.url}/wallets/${wallet.id}/history`)).status).toBe(401);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await get('', wallet.id, person)).toMatchObject({ status: 403 });
});

test('400: the wallet only signs and has no history', async () => {
  const signing = await wallets.createWallet({ network: 'KeyECDSA' });
  expect(await get('', signing.id)).toMatchObject(refusal(400, 'NetworkNotEnabled'));
});
