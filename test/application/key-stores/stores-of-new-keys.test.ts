import { type KeyStoreFacts, SOFTWARE_STORE, SOFTWARE_STORE_ID } from '../../../domain/key-stores';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { storeRows, VAULT } from '../../support/key-store-rows';
import { createKey, ECDSA, importOf, switchOn } from '../../support/keys';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

const VAULT_ID = VAULT.storeId;
const other = { isPrimary: false };
const network = 'EthereumSepolia';
const draining: KeyStoreFacts = { ...VAULT, storeId: 'ks-2', state: 'Draining' };
const removed: KeyStoreFacts = { ...VAULT, storeId: 'ks-3', state: 'Removed' };

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());
beforeEach(() => stores([SOFTWARE_STORE, VAULT, draining, removed]));

const stores = (list: readonly KeyStoreFacts[]) => storeRows(wallets.api.database, wallets.orgId, list);
const post = (path: string, body: unknown, by = wallets.admin) => by.client.change('POST', path, body);
const rows = () => wallets.api.database.db.read(wallets.orgId).rows(KeyEntity, '');
const at = (path: string, message: string) =>
  refusal(400, 'InvalidRequest', { issues: [{ path, message: expect.stringContaining(message) as string }] });
/** Moves the row of a key, as no code of the service does. */
const inVault = async (keyId: string) =>
  wallets.api.database.arrange('UPDATE keys SET store_id = $1 WHERE id = $2', [VAULT_ID, keyId]);

test('a key and a wallet are made in the named store, and in the primary store otherwise', async () => {
  for (const storeId of [undefined, SOFTWARE_STORE_ID]) {
    const key = await createKey(wallets, { ...ECDSA, storeId });
    expect(await wallets.admin.client.get(`/keys/${key.id}`)).toMatchObject({
      body: { store: { id: SOFTWARE_STORE_ID, kind: 'Software' } },
    });
    await wallets.createWallet({ network, signingKey: { storeId } });
  }
});

test.each([
  ['unknown', 'ks-9', `must be the id of a key store that makes keys: ${SOFTWARE_STORE_ID}, ${VAULT_ID}`],
  ['removed', removed.storeId, `must be the id of a key store that makes keys: ${SOFTWARE_STORE_ID}, ${VAULT_ID}`],
  ['draining', draining.storeId, `makes no new keys. Key stores that make keys: ${SOFTWARE_STORE_ID}, ${VAULT_ID}`],
])('400 for the store that is %s names the stores that make keys, and makes nothing', async (_what, storeId, message) => {
  const before = (await rows()).length;
  expect(await post('/keys', { ...ECDSA, storeId })).toMatchObject(at('body.storeId', message));
  expect(await post('/wallets', { network, signingKey: { storeId } })).toMatchObject(at('body.signingKey.storeId', message));
  expect(await rows()).toHaveLength(before);
});

test('a store of another organisation is unknown', async () => {
  const message = `must be the id of a key store that makes keys: ${SOFTWARE_STORE_ID}`;
  const body = { ...ECDSA, storeId: VAULT_ID };
  expect(await post('/keys', body, wallets.stranger)).toMatchObject(
    refusal(400, 'InvalidRequest', { issues: [{ path: 'body.storeId', message }] }),
  );
});

test('409 while an offline store has no free key: nothing is made in a weaker store', async () => {
  const before = (await rows()).length;
  const empty = { ...refusal(409, 'WrongState', { storeId: VAULT_ID }) };
  expect(await post('/keys', { ...ECDSA, storeId: VAULT_ID })).toMatchObject(empty);
  expect(await post('/wallets', { network, signingKey: { storeId: VAULT_ID } })).toMatchObject(empty);
  await stores([
    { ...SOFTWARE_STORE, ...other },
    { ...VAULT, isPrimary: true },
  ]);
  const answer = await post('/keys', ECDSA);
  expect(answer).toMatchObject(empty);
  expect(JSON.stringify(answer.body)).toContain('create keys with a KeyHarvest group');
  expect(await post('/wallets', { network })).toMatchObject(empty);
  expect(await rows()).toHaveLength(before);
});

test.each<[string, object, string, string]>([
  ['a scheme', { scheme: 'Schnorr', curve: 'secp256k1' }, 'body.curve', 'it makes no keys for Schnorr on secp256k1'],
  ['a curve', { scheme: 'ECDSA', curve: 'stark' }, 'body.curve', 'it makes no keys for ECDSA on stark'],
  ['a derivation', { scheme: 'DH', curve: 'secp256k1' }, 'body.curve', 'it makes no keys for DH on secp256k1'],
  ['a master key', { ...ECDSA, masterKey: true }, 'body.masterKey', 'only sign what they are handed'],
  ['a later delegation', { ...ECDSA, delayDelegation: true }, 'body.delayDelegation', 'only the people who carry its archives'],
])('400 for %s that an offline store cannot do names the store that can', async (_what, form, path, message) => {
  const answer = await post('/keys', { ...form, storeId: VAULT_ID });
  expect(answer).toMatchObject(at(path, `in the key store ${VAULT_ID}: `));
  expect(answer).toMatchObject(at(path, message));
  expect(answer).toMatchObject(at(path, `Key stores that can: ${SOFTWARE_STORE_ID}`));
});

test('400 for a key of an end user in an offline store, named or primary', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const given = { ...ECDSA, storeId: VAULT_ID, delegateTo: endUser.userId };
  expect(await post('/keys', given)).toMatchObject(at('body.storeId', 'only the people who carry its archives'));
  await stores([
    { ...SOFTWARE_STORE, ...other },
    { ...VAULT, isPrimary: true },
  ]);
  expect(await post('/keys', ECDSA, endUser)).toMatchObject(at('body.storeId', `that can: ${SOFTWARE_STORE_ID}`));
  expect(await post('/keys', { ...ECDSA, storeId: SOFTWARE_STORE_ID }, endUser)).toMatchObject({ status: 200 });
});

test('a derived key stays in the store of its master key', async () => {
  const master = await createKey(wallets, { ...ECDSA, masterKey: true });
  const deriveFrom = { keyId: master.id };
  expect(await post('/keys', { ...ECDSA, deriveFrom, storeId: VAULT_ID })).toMatchObject(
    at('body.storeId', `must be ${SOFTWARE_STORE_ID}, the key store of the master key`),
  );
  await stores([
    { ...SOFTWARE_STORE, ...other },
    { ...VAULT, isPrimary: true },
  ]);
  expect(await post('/keys', { ...ECDSA, deriveFrom })).toMatchObject({ status: 200 });
  await stores([
    { ...SOFTWARE_STORE, ...other, state: 'Draining' },
    { ...VAULT, isPrimary: true },
  ]);
  expect(await post('/keys', { ...ECDSA, deriveFrom })).toMatchObject(at('body.deriveFrom.keyId', 'makes no new keys'));
});

test('a wallet request that was repeated with another store is another request', async () => {
  const request = { network, externalId: 'store-1', signingKey: { storeId: SOFTWARE_STORE_ID } };
  const first = await wallets.createWallet(request);
  expect((await wallets.createWallet(request)).id).toBe(first.id);
  const changed = { ...request, signingKey: { storeId: VAULT_ID } };
  expect(await post('/wallets', changed)).toMatchObject(refusal(409, 'Conflict'));
});

test('400 for an import once the software store makes no keys', async () => {
  await switchOn(wallets, wallets.orgId, 'keyImport');
  const body = await importOf(wallets, wallets.orgId, Buffer.alloc(32, 0x21));
  const blocked = at('body.protocol', 'no key store of the organisation imports keys any more');
  await stores([
    { ...SOFTWARE_STORE, ...other, state: 'Draining' },
    { ...VAULT, isPrimary: true },
  ]);
  expect(await post('/keys/import', body)).toMatchObject(blocked);
  expect(await post('/wallets/import', { ...body, network })).toMatchObject(blocked);
  await stores([
    { ...SOFTWARE_STORE, ...other },
    { ...VAULT, isPrimary: true },
  ]);
  expect(await post('/keys/import', body)).toMatchObject({ status: 200 });
});

test('400 for an export, a shared secret and a delegation of a key in an offline store', async () => {
  await switchOn(wallets, wallets.orgId, 'keyExport');
  const key = await createKey(wallets, { ...ECDSA, delayDelegation: true });
  const shared = await createKey(wallets, { scheme: 'DH', curve: 'secp256k1' });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  for (const { id } of [key, shared]) await inVault(id);
  const refused = (keyId: string) => refusal(400, 'InvalidRequest', { keyId, storeId: VAULT_ID });
  const encryptionKey = Buffer.alloc(32, 9).toString('base64');
  const supportedSchemes = [{ protocol: 'Software', curve: 'secp256k1' }];
  expect(await post(`/keys/${key.id}/export`, { encryptionKey, supportedSchemes })).toMatchObject(refused(key.id));
  expect(await post(`/keys/${key.id}/delegate`, { delegateTo: endUser.userId })).toMatchObject(refused(key.id));
  const seeds = { domain: 'ab', seed: 'cd' };
  const derived = await post(`/keys/${shared.id}/derive`, seeds);
  expect(derived).toMatchObject(refused(shared.id));
  expect(JSON.stringify(derived.body)).toContain(`Key stores that can: ${SOFTWARE_STORE_ID}`);
  expect(await wallets.admin.client.get(`/keys/${key.id}`)).toMatchObject({
    body: { store: { id: VAULT_ID, kind: 'OfflineSigner' } },
  });
});
