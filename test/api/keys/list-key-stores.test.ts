import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

test('200: the list contains the only store, Software', async () => {
  const { status, body } = await wallets.admin.client.get('/key-stores');
  expect([status, body]).toEqual([200, { items: [{ id: 'software', kind: 'Software', name: 'Software', primary: true }] }]);
});

test('403: without KeyStores:Read, and for an end user', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  for (const by of [person, endUser]) expect(await by.client.get('/key-stores')).toMatchObject(refusal(403, 'Forbidden'));
});
