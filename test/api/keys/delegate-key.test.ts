import { EventEntity } from '../../../entities/events/event.entity';
import { newId } from '../../../platform/ids';
import type { Person } from '../../support/api';
import { createKey, ECDSA } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
let endUser: Person;
beforeAll(async () => {
  wallets = await startWalletApi();
  endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const delegate = (id: string, delegateTo: string = endUser.userId, by = wallets.admin) =>
  by.client.change('POST', `/keys/${id}/delegate`, { delegateTo });
const LATER = { ...ECDSA, delayDelegation: true };

test('200: all wallets of the key are delegated for good, and new wallets on the key belong to the user too', async () => {
  const key = await createKey(wallets, LATER);
  const wallet = await wallets.createWallet({ signingKey: { id: key.id } });
  expect(wallet).toMatchObject({ custodial: true });
  expect(await delegate(key.id)).toMatchObject({ status: 200, body: { keyId: key.id, status: 'Delegated' } });
  expect(await wallets.admin.client.get(`/keys/${key.id}`)).toMatchObject({ body: { custodial: false } });
  expect(await endUser.client.get(`/wallets/${wallet.id}`)).toMatchObject({
    body: { custodial: false, signingKey: { delegatedTo: endUser.userId } },
  });
  const later = await wallets.createWallet({ network: 'KeyECDSA', signingKey: { id: key.id } });
  expect(later).toMatchObject({ custodial: false });
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  const sent = await wallets.admin.client.change('POST', `/wallets/${wallet.id}/transfers`, transfer);
  expect(sent).toMatchObject(refusal(403, 'Forbidden'));
  const events = await wallets.api.database.db
    .read(wallets.orgId)
    .rows(EventEntity, `WHERE t.kind IN ('key.delegated', 'wallet.delegated') ORDER BY t.id`);
  expect(events.map(({ kind, data }) => [kind, data])).toEqual([
    ['key.delegated', { key: expect.objectContaining({ id: key.id, custodial: false }) }],
    ['wallet.delegated', { wallet: expect.objectContaining({ id: wallet.id, custodial: false }) }],
  ]);
  expect(await delegate(key.id)).toMatchObject(refusal(409, 'WrongState'));
});

test('400: the new owner is not an end user of this organisation', async () => {
  const { id } = await createKey(wallets, LATER);
  const elsewhere = await wallets.api.createPerson(wallets.stranger.orgId, { kind: 'EndUser' });
  for (const userId of [newId('user'), wallets.admin.userId, elsewhere.userId, 'x']) {
    expect(await delegate(id, userId)).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.delegateTo')));
  }
});

test('403: without Keys:Delegate', async () => {
  const { id } = await createKey(wallets, LATER);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  expect(await delegate(id, endUser.userId, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { id } = await createKey(wallets, LATER);
  expect(await delegate(newId('key'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await delegate(id, endUser.userId, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the key was not created for delegation, is deleted, or has child keys', async () => {
  const plain = await createKey(wallets);
  expect(await delegate(plain.id)).toMatchObject(refusal(409, 'WrongState'));
  const deleted = await createKey(wallets, LATER);
  await wallets.admin.client.change('DELETE', `/keys/${deleted.id}`, {});
  expect(await delegate(deleted.id)).toMatchObject(refusal(409, 'WrongState'));
  const master = await createKey(wallets, { ...LATER, masterKey: true });
  await createKey(wallets, { ...ECDSA, deriveFrom: { keyId: master.id } });
  expect(await delegate(master.id)).toMatchObject(refusal(409, 'WrongState'));
});
