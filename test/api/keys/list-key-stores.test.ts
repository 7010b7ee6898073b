import { SOFTWARE_STORE } from '../../../domain/key-stores';
import { storeRows, VAULT } from '../../support/key-store-rows';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const software = { id: 'software', kind: 'Software', name: 'Software' };
const list = async () => {
  const { status, body } = await wallets.admin.client.get('/key-stores');
  return [status, body];
};

test('200: the list contains the software store, and the stores that the operator added, without removed stores', async () => {
  expect(await list()).toEqual([200, { items: [{ ...software, primary: true }] }]);
  const removed = { ...VAULT, storeId: 'ks-2', state: 'Removed' } as const;
  await storeRows(wallets.api.database, wallets.orgId, [
    { ...SOFTWARE_STORE, state: 'Draining', isPrimary: false },
    { ...VAULT, isPrimary: true, reviewers: 2 },
    removed,
  ]);
  const vault = { id: VAULT.storeId, kind: 'OfflineSigner', name: VAULT.name, primary: true, reviewers: 2 };
  expect(await list()).toEqual([200, { items: [{ ...software, primary: false }, vault] }]);
});

test('403: without KeyStores:Read, and for an end user', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  for (const by of [person, endUser]) expect(await by.client.get('/key-stores')).toMatchObject(refusal(403, 'Forbidden'));
});
