import { newId } from '../../../../platform/ids';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';

let wallets: WalletApi;
let wallet: WalletBody;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet({ name: 'Readable' });
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

test('200: the answer is the wallet as it was returned at its creation', async () => {
  expect(await wallets.admin.client.get(`/wallets/${wallet.id}`)).toMatchObject({ status: 200, body: wallet });
  expect(await wallets.admin.client.get(`/wallets/${wallet.id}/`)).toMatchObject({ status: 200, body: wallet });
});

test('404: a wallet that is unknown, belongs to another organisation, or is not the end user’s own, and a text that is not an id', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const missing = newId('wallet');
  expect(await wallets.admin.client.get(`/wallets/${missing}`)).toMatchObject(refusal(404, 'NotFound', { walletId: missing }));
  expect(await wallets.stranger.client.get(`/wallets/${wallet.id}`)).toMatchObject(refusal(404, 'NotFound'));
  expect(await endUser.client.get(`/wallets/${wallet.id}`)).toMatchObject(refusal(404, 'NotFound'));
  expect(await wallets.admin.client.get(`/wallets/${encodeURIComponent("wa-' OR 1=1")}`)).toMatchObject(refusal(404, 'NotFound'));
});

test('404: the key of the wallet is still being created', async () => {
  const hidden = await wallets.createWallet();
  await wallets.api.database.arrange(`UPDATE wallets SET status = 'Creating', address = NULL WHERE id = $1`, [hidden.id]);
  expect(await wallets.admin.client.get(`/wallets/${hidden.id}`)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: [] });
  expect(await person.client.get(`/wallets/${wallet.id}`)).toMatchObject(refusal(403, 'Forbidden'));
});
