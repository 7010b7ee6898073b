import { newId } from '../../../platform/ids';
import { createKey } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const put = (id: string, body: unknown, by = wallets.admin) => by.client.change('PUT', `/keys/${id}`, body);

test('200: a key gets a name, and null removes the name', async () => {
  const key = await createKey(wallets);
  expect(await put(key.id, { name: 'Cold' })).toMatchObject({ status: 200, body: { ...key, name: 'Cold' } });
  expect((await put(key.id, { name: null })).body).toEqual(key);
});

test.each([{}, { name: 7 }, { name: 'x'.repeat(101) }])('400: %j', async (body) => {
  const { id } = await createKey(wallets);
  expect(await put(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.name')));
});

test('403: without Keys:Update', async () => {
  const { id } = await createKey(wallets);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  expect(await put(id, { name: 'Mine' }, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { id } = await createKey(wallets);
  expect(await put(newId('key'), { name: 'Mine' })).toMatchObject(refusal(404, 'NotFound'));
  expect(await put(id, { name: 'Mine' }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});
