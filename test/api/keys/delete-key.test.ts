import { EventEntity } from '../../../entities/events/event.entity';
import { newId } from '../../../platform/ids';
import { createKey } from '../../support/keys';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const remove = (id: string, by = wallets.admin) => by.client.change('DELETE', `/keys/${id}`, {});

test('200: the key and all its wallets are archived; no wallet can be added to the key, and its wallets can no longer send', async () => {
  const key = await createKey(wallets);
  const wallet = await wallets.createWallet({ signingKey: { id: key.id } });
  const other = await wallets.createWallet({ network: 'KeyECDSA', signingKey: { id: key.id } });
  const answer = await remove(key.id);
  expect(answer).toMatchObject({ status: 200, body: { id: key.id, status: 'Archived', dateDeleted: expect.any(String) } });
  const { dateDeleted } = answer.body as { dateDeleted: string };
  for (const { id } of [wallet, other]) {
    expect(await wallets.admin.client.get(`/wallets/${id}`)).toMatchObject({ body: { status: 'Archived', dateDeleted } });
  }
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  const sent = await wallets.admin.client.change('POST', `/wallets/${wallet.id}/transfers`, transfer);
  expect(sent).toMatchObject(refusal(409, 'WrongState'));
  const another = await wallets.admin.client.change('POST', '/wallets', { network: 'KeyECDSA', signingKey: { id: key.id } });
  expect(another).toMatchObject(refusal(409, 'WrongState'));
  const events = await wallets.api.database.db.read(wallets.orgId).rows(EventEntity, `WHERE t.kind = 'key.deleted'`);
  expect(events.map(({ data }) => data)).toEqual([{ key: answer.body }]);
});

test('403: without Keys:Delete, and for an end user', async () => {
  const { id } = await createKey(wallets);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  for (const by of [person, endUser]) expect(await remove(id, by)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { id } = await createKey(wallets);
  expect(await remove(newId('key'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await remove(id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the key is already deleted', async () => {
  const { id } = await createKey(wallets);
  await remove(id);
  expect(await remove(id)).toMatchObject(refusal(409, 'WrongState'));
});
