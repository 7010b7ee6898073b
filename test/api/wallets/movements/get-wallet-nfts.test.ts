import { newId } from '../../../../platform/ids';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';
import { writeMovements } from '../../../support/written-movements';

const CATS = '0x8464135c8F25Da09e49BC8782676a84730C318bC';
const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const unique = (subjectId: string, tokenId: string, set: object = {}) => ({
  ...{ subjectId, kind: 'Erc721Transfer' as const, contract: CATS, tokenId, amountUnits: null, symbol: null, decimals: null },
  ...set,
});

let wallets: WalletApi;
let wallet: WalletBody;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet();
  await writeMovements(wallets.api.database.db, wallets.orgId, [
    unique(wallet.id, '1'),
    unique(wallet.id, '2'),
    unique(wallet.id, '3'),
    unique(wallet.id, '2', { direction: 'Out', toAddress: STRANGER }),
  ]);
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const get = (id = wallet.id, by = wallets.admin) => by.client.get(`/wallets/${id}/nfts`);

test('200: the tokens that the wallet has received and still owns according to the node, newest first', async () => {
  const owned = { '1': wallet.address, '3': wallet.address };
  wallets.node.collectibles.set(CATS.toLowerCase(), { symbol: 'CAT', owners: owned });
  expect((await get()).body).toEqual({
    walletId: wallet.id,
    network: 'EthereumSepolia',
    nfts: ['3', '1'].map((tokenId) => ({ kind: 'Erc721', contract: CATS, tokenId, symbol: 'CAT' })),
  });
  wallets.node.collectibles.set(CATS.toLowerCase(), { symbol: 'CAT', owners: { ...owned, '3': STRANGER } });
  expect(((await get()).body as { nfts: { tokenId: string }[] }).nfts.map(({ tokenId }) => tokenId)).toEqual(['1']);
});

test('200: the list is empty for a wallet that has received no tokens', async () => {
  const other = await wallets.createWallet();
  expect((await get(other.id)).body).toEqual({ walletId: other.id, network: 'EthereumSepolia', nfts: [] });
});

test('400: a wallet that only signs', async () => {
  const signing = await wallets.createWallet({ network: 'KeyECDSA' });
  expect(await get(signing.id)).toMatchObject(refusal(400, 'NetworkNotEnabled'));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  expect(await get(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(wallet.id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('503: no node answers', async () => {
  wallets.node.isDown = true;
  expect(await get()).toMatchObject(refusal(503, 'NetworkUnavailable'));
  wallets.node.isDown = false;
});
