import { SOFTWARE_STORE_ID } from '../../domain/key-stores';
import { createLogger } from '../../platform/logger';
import type { KeyStoreChange } from '../../signer/key-stores/key-store-change';
import { readKeyStores } from '../../worker/key-stores';
import { ECDSA } from '../support/keys';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../support/wallet-api';

const storeId = 'ks-00000-00000-0000000000000001';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const logger = createLogger('worker', 'silent');
/** The operator's entry, and the worker's next look at the signer. */
async function change(wanted: KeyStoreChange): Promise<void> {
  await wallets.signer.changeKeyStores(wallets.orgId, wanted);
  await readKeyStores({ signer: wallets.signer.client, db: wallets.api.database.db, logger }, new Map());
}
const listed = async () =>
  ((await wallets.admin.client.get('/key-stores')).body as { items: { id: string; primary: boolean }[] }).items;
const create = (body: object) => wallets.admin.client.change('POST', '/keys', body);

test('entries at the signer reach the interface, and no request gets a key of a store that the operator closed', async () => {
  expect(await create(ECDSA)).toMatchObject({ status: 200 });
  await change({ kind: 'Add', storeId, storeKind: 'OfflineSigner', name: 'Vault' });
  expect((await listed()).map(({ id, primary }) => [id, primary])).toEqual([
    [SOFTWARE_STORE_ID, true],
    [storeId, false],
  ]);
  expect(await create(ECDSA)).toMatchObject({ status: 200 });
  await change({ kind: 'MakePrimary', storeId });
  expect(await create(ECDSA)).toMatchObject(refusal(409, 'WrongState', { storeId }));
  expect(await create({ ...ECDSA, storeId: SOFTWARE_STORE_ID })).toMatchObject({ status: 200 });
  const keys = wallets.signer.keys();
  await change({ kind: 'Drain', storeId: SOFTWARE_STORE_ID });
  expect(await create({ ...ECDSA, storeId: SOFTWARE_STORE_ID })).toMatchObject(refusal(400, 'InvalidRequest'));
  expect(await create({ ...ECDSA, storeId })).toMatchObject(refusal(409, 'WrongState', { storeId }));
  expect(wallets.signer.keys()).toBe(keys);
  expect((await listed()).map(({ id }) => id)).toEqual([SOFTWARE_STORE_ID, storeId]);
});
