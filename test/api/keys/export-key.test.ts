import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { EventEntity } from '../../../entities/events/event.entity';
import { newId } from '../../../platform/ids';
import { createKey, createRecipient, ECDSA, importOf, switchOn } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
let recipient: Awaited<ReturnType<typeof createRecipient>>;
beforeAll(async () => {
  wallets = await startWalletApi();
  recipient = await createRecipient();
  await switchOn(wallets, wallets.orgId, 'keyImport', 'keyExport');
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const wish = (curve = 'secp256k1') => ({
  encryptionKey: recipient.encryptionKey,
  supportedSchemes: [{ protocol: 'Software', curve }],
});
const post = (id: string, body: unknown = wish(), by = wallets.admin) => by.client.change('POST', `/keys/${id}/export`, body);
const eventsOf = async (id: string) =>
  (await wallets.api.database.db.read(wallets.orgId).rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.id', [id])).map(
    ({ kind }) => kind,
  );

test('200: only the caller gets the secret that belongs to the public key, and the key is not used any more', async () => {
  const key = await createKey(wallets);
  const wallet = await wallets.createWallet({ signingKey: { id: key.id } });
  const answer = await post(key.id);
  expect(answer).toMatchObject({
    status: 200,
    body: { publicKey: key.publicKey, protocol: 'Software', curve: 'secp256k1', scheme: 'ECDSA', minSigners: 1 },
  });
  expect(answer.body).toMatchObject({ suite: 'DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM' });
  const secret = await recipient.open(wallets.orgId, answer.body);
  expect(Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex')).toBe(key.publicKey);

  const after = await wallets.admin.client.get(`/keys/${key.id}`);
  expect(after).toMatchObject({ body: { exported: true, dateExported: expect.any(String), status: 'Active' } });
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  const sent = await wallets.admin.client.change('POST', `/wallets/${wallet.id}/transfers`, transfer);
  expect(sent).toMatchObject(refusal(409, 'WrongState'));
  const another = await wallets.admin.client.change('POST', '/wallets', { network: 'KeyECDSA', signingKey: { id: key.id } });
  expect(another).toMatchObject(refusal(409, 'WrongState'));
  expect(await eventsOf(key.id)).toEqual(['key.created', 'key.exported']);
  expect(await eventsOf(wallet.id)).toEqual(['wallet.created', 'wallet.exported']);
  const period = {
    startTime: new Date(Date.now() - 600_000).toISOString(),
    endTime: new Date(Date.now() + 60_000).toISOString(),
  };
  const log = await wallets.admin.client.send({
    method: 'GET',
    path: `/auth/action/logs?${new URLSearchParams(period)}`,
    headers: { accept: 'application/json' },
  });
  expect(JSON.stringify(log.body)).toContain('exportKey');
});

test('200: an export can be repeated if its answer was lost, and keeps its date', async () => {
  const key = await createKey(wallets, { scheme: 'EdDSA', curve: 'ed25519' });
  const dateOf = async () => (await wallets.admin.client.get(`/keys/${key.id}`)).body as { dateExported: string };
  await post(key.id, wish('ed25519'));
  const { dateExported } = await dateOf();
  const again = await post(key.id, wish('ed25519'));
  const secret = await recipient.open(wallets.orgId, again.body);
  expect(Buffer.from(ed25519.getPublicKey(secret)).toString('hex')).toBe(key.publicKey);
  expect((await dateOf()).dateExported).toBe(dateExported);
  expect(await eventsOf(key.id)).toEqual(['key.created', 'key.exported']);
});

test('200: another organisation imports an exported key with the same public key and address', async () => {
  const wallet = await wallets.createWallet();
  const answer = await post(wallet.signingKey.id);
  const secret = await recipient.open(wallets.orgId, answer.body);
  const { orgId, client } = wallets.stranger;
  await switchOn(wallets, orgId, 'keyImport');
  const imported = await client.change('POST', '/wallets/import', {
    ...(await importOf(wallets, orgId, secret)),
    network: 'EthereumSepolia',
  });
  expect(imported).toMatchObject({
    status: 200,
    body: { address: wallet.address, signingKey: { publicKey: wallet.signingKey.publicKey } },
  });
});

test('200: the children of a master key are exported with the master key, because its holder can derive the children', async () => {
  const master = await createKey(wallets, { ...ECDSA, masterKey: true });
  const child = await createKey(wallets, { ...ECDSA, deriveFrom: { keyId: master.id } });
  expect(await post(master.id)).toMatchObject({ status: 200 });
  expect(await wallets.admin.client.get(`/keys/${child.id}`)).toMatchObject({ body: { exported: true } });
  expect(await eventsOf(child.id)).toEqual(['key.created', 'key.exported']);
});

test.each([
  ['body.encryptionKey', { encryptionKey: '' }],
  ['body.encryptionKey', { encryptionKey: 'AA==' }],
  ['body.encryptionKey', { encryptionKey: Buffer.alloc(32).toString('base64') }],
  ['body.supportedSchemes', { supportedSchemes: [] }],
  ['body.supportedSchemes', { supportedSchemes: [{ protocol: 'CGGMP24', curve: 'secp256k1' }] }],
  ['body.supportedSchemes', { supportedSchemes: [{ protocol: 'Software', curve: 'stark' }] }],
])('400: the error reports %s for %j, and the key stays in use', async (path, change) => {
  const { id } = await createKey(wallets);
  expect(await post(id, { ...wish(), ...change })).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect((await wallets.admin.client.get(`/keys/${id}`)).body).not.toHaveProperty('exported');
});

test("403: without Keys:Export, while export is switched off, and for an end user's key", async () => {
  const { id } = await createKey(wallets);
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Create'] });
  expect(await post(id, wish(), person)).toMatchObject(refusal(403, 'Forbidden'));
  const theirs = await createKey(wallets, ECDSA, wallets.stranger);
  expect(await post(theirs.id, wish(), wallets.stranger)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyExport' }));
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const given = await createKey(wallets, { ...ECDSA, delegateTo: endUser.userId });
  expect(await post(given.id)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await post(given.id, wish(), endUser)).toMatchObject({ status: 200 });
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { id } = await createKey(wallets);
  expect(await post(newId('key'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await post(id, wish(), wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: a deleted key, and a master key with a child that belongs to an end user', async () => {
  const deleted = await createKey(wallets);
  await wallets.admin.client.change('DELETE', `/keys/${deleted.id}`, {});
  expect(await post(deleted.id)).toMatchObject(refusal(409, 'WrongState'));
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const master = await createKey(wallets, { ...ECDSA, masterKey: true });
  await createKey(wallets, { ...ECDSA, deriveFrom: { keyId: master.id }, delegateTo: endUser.userId });
  expect(await post(master.id)).toMatchObject(refusal(409, 'WrongState'));
});
