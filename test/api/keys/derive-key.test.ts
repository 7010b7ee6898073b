import { newId } from '../../../platform/ids';
import { createKey, ECDSA } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const DH = { scheme: 'DH', curve: 'secp256k1' };
const derive = (id: string, body: unknown = { domain: '0x6170', seed: '0x01' }, by = wallets.admin) =>
  by.client.change('POST', `/keys/${id}/derive`, body);

test('200: the same key, domain and seed give the same point in any spelling; a different value gives a different point', async () => {
  const { id } = await createKey(wallets, DH);
  const { status, body } = await derive(id);
  expect([status, body]).toEqual([200, { output: expect.stringMatching(/^0x0[23][0-9a-f]{64}$/) }]);
  expect((await derive(id, { domain: '6170', seed: '01' })).body).toEqual(body);
  const { id: otherId } = await createKey(wallets, DH);
  for (const answer of [
    await derive(id, { domain: '0x6170', seed: '0x' }),
    await derive(id, { domain: '0x6171', seed: '0x01' }),
    await derive(otherId),
  ]) {
    expect(answer.status).toBe(200);
    expect(answer.body).not.toEqual(body);
  }
  const kept = await wallets.api.database.db
    .read(wallets.orgId)
    .select('SELECT sealed_question, sealed_answer FROM key_requests');
  expect(kept.flatMap((row) => Object.values(row)).filter((value) => value !== null)).toEqual([]);
});

test.each([
  ['body.domain', { seed: '0x01' }],
  ['body.domain', { domain: '0x', seed: '0x01' }],
  ['body.domain', { domain: '0x123', seed: '0x01' }],
  ['body.domain', { domain: 'ab'.repeat(256), seed: '0x01' }],
  ['body.seed', { domain: '0x01' }],
  ['body.seed', { domain: '0x01', seed: 'seed' }],
  ['body.seed', { domain: '0x01', seed: 'ab'.repeat(4_097) }],
])('400: %s', async (path, body) => {
  const { id } = await createKey(wallets, DH);
  expect(await derive(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('403: without Keys:Derive, and for staff if the key belongs to an end user', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const { id } = await createKey(wallets, { ...DH, delegateTo: endUser.userId });
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Read'] });
  for (const by of [person, wallets.admin]) expect(await derive(id, undefined, by)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await derive(id, undefined, endUser)).toMatchObject({ status: 200 });
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { id } = await createKey(wallets, DH);
  expect(await derive(newId('key'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await derive(id, undefined, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: a signing key, and a deleted key', async () => {
  const { id } = await createKey(wallets, ECDSA);
  expect(await derive(id)).toMatchObject(refusal(409, 'WrongState'));
  const deleted = await createKey(wallets, DH);
  await wallets.admin.client.change('DELETE', `/keys/${deleted.id}`, {});
  expect(await derive(deleted.id)).toMatchObject(refusal(409, 'WrongState'));
});
