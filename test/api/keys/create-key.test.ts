import { KeyEntity } from '../../../entities/keys/key.entity';
import { newId } from '../../../platform/ids';
import { createKey, ECDSA } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (body: unknown, by = wallets.admin) => by.client.change('POST', '/keys', body);
const rows = () => wallets.api.database.db.read(wallets.orgId).rows(KeyEntity, '');

test.each([
  ['ECDSA', 'secp256k1', 66],
  ['ECDSA', 'stark', 64],
  ['EdDSA', 'ed25519', 64],
  ['Schnorr', 'secp256k1', 64],
  ['DH', 'secp256k1', 66],
])('200: a key with scheme %s on curve %s is complete and readable at once', async (scheme, curve, digits) => {
  const answer = await post({ scheme, curve, name: 'Main' });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^key-/),
    scheme,
    curve,
    name: 'Main',
    publicKey: expect.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`)),
    status: 'Active',
    custodial: true,
    dateCreated: expect.any(String),
  });
  const { id } = answer.body as { id: string };
  expect(await wallets.admin.client.get(`/keys/${id}`)).toMatchObject({ status: 200, body: answer.body });
});

test.each([
  [ECDSA, "m/44'/60'/0'/0/7"],
  [{ scheme: 'Schnorr', curve: 'secp256k1' }, "m/86'/0'"],
  [{ scheme: 'EdDSA', curve: 'ed25519' }, "m/44'/501'/0'"],
])(
  '200: each child of a master key with %j gets the requested path or the next free path, and no two share a path',
  async (form, path) => {
    const master = await createKey(wallets, { ...form, masterKey: true });
    expect(master).toMatchObject({ masterKey: true });
    const derive = (more: object = {}) => post({ ...form, deriveFrom: { keyId: master.id, ...more } });
    expect(await derive({ path })).toMatchObject({ status: 200, body: { derivedFrom: { keyId: master.id, path } } });
    expect(await derive({ path })).toMatchObject(refusal(409, 'Conflict', { duplicate: { id: expect.any(String) } }));
    const several = await Promise.all(Array.from({ length: 5 }, () => derive()));
    const paths = several.map(({ body }) => (body as { derivedFrom: { path: string } }).derivedFrom.path);
    expect(paths.sort()).toEqual(["m/1'", "m/2'", "m/3'", "m/4'", "m/5'"]);
    expect(new Set(several.map(({ body }) => (body as { publicKey: string }).publicKey)).size).toBe(5);
  },
);

test("200: a key created for or by an end user, and a child of the end user's master key, belong to the end user", async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const given = await createKey(wallets, { ...ECDSA, masterKey: true, delegateTo: endUser.userId });
  const own = await createKey(wallets, ECDSA, endUser);
  const child = await createKey(wallets, { ...ECDSA, deriveFrom: { keyId: given.id } });
  for (const { id } of [given, own, child]) {
    expect(await endUser.client.get(`/keys/${id}`)).toMatchObject({ status: 200, body: { custodial: false } });
  }
});

test('200: groupSize and groupThreshold have no effect, and the answer has a deprecation header', async () => {
  const answer = await post({ ...ECDSA, groupSize: 5, groupThreshold: 3 });
  expect([answer.status, answer.headers.get('deprecation')]).toEqual([200, '@1795305600']);
  expect((await post(ECDSA)).headers.get('deprecation')).toBeNull();
});

test.each([
  ['body.scheme', { curve: 'secp256k1' }],
  ['body.scheme', { scheme: 'RSA', curve: 'secp256k1' }],
  ['body.curve', { scheme: 'EdDSA', curve: 'secp256k1' }],
  ['body.curve', { scheme: 'Schnorr', curve: 'ed25519' }],
  ['body.name', { ...ECDSA, name: 'x'.repeat(101) }],
  ['body.masterKey', { scheme: 'DH', curve: 'secp256k1', masterKey: true }],
  ['body.masterKey', { scheme: 'ECDSA', curve: 'stark', masterKey: true }],
  ['body.storeId', { ...ECDSA, storeId: 'vault' }],
  ['body.delegateTo', { ...ECDSA, delegateTo: newId('user') }],
  ['body.delayDelegation', { ...ECDSA, delayDelegation: true, delegateTo: newId('user') }],
  ['body.deriveFrom.path', { ...ECDSA, deriveFrom: { keyId: newId('key'), path: 7 } }],
  ['body.orgId', { ...ECDSA, orgId: newId('organization') }],
])('400: the error reports %s for %j, and nothing is written', async (path, body) => {
  const before = (await rows()).length;
  expect(await post(body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect(await rows()).toHaveLength(before);
});

test('400: the key is delegated to staff, or the parent of a child key is not a master key', async () => {
  const notOne = refusal(400, 'InvalidRequest', faultAt('body.delegateTo'));
  expect(await post({ ...ECDSA, delegateTo: wallets.admin.userId })).toMatchObject(notOne);
  const { id: keyId } = await createKey(wallets);
  const noMaster = refusal(400, 'InvalidRequest', faultAt('body.deriveFrom.keyId'));
  expect(await post({ ...ECDSA, deriveFrom: { keyId } })).toMatchObject(noMaster);
});

test.each(['m/0/1/2/3/4/5/6/7/8/9/10', 'm/2147483648', '0/1', 'm/', "m/0'"])('400: path %j', async (path) => {
  const form = { scheme: 'EdDSA', curve: 'ed25519' };
  const { id: keyId } = await createKey(wallets, { ...form, masterKey: true });
  const wrong = path === "m/0'" ? 'm/0' : path;
  const answer = await post({ ...form, deriveFrom: { keyId, path: wrong } });
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.deriveFrom.path')));
});

test('403: without Keys:Delegate or Keys:ChildKeys:Create, if the request needs that permission', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Create'] });
  expect(await post(ECDSA, person)).toMatchObject({ status: 200 });
  for (const more of [{ delegateTo: newId('user') }, { deriveFrom: { keyId: newId('key') } }]) {
    expect(await post({ ...ECDSA, ...more }, person)).toMatchObject(refusal(403, 'Forbidden'));
  }
});

test('404: the master key belongs to another organisation', async () => {
  const { id: keyId } = await createKey(wallets, { ...ECDSA, masterKey: true }, wallets.stranger);
  expect(await post({ ...ECDSA, deriveFrom: { keyId } })).toMatchObject(refusal(404, 'NotFound'));
});

test('409: the master key was deleted', async () => {
  const { id: keyId } = await createKey(wallets, { ...ECDSA, masterKey: true });
  await wallets.admin.client.change('DELETE', `/keys/${keyId}`, {});
  expect(await post({ ...ECDSA, deriveFrom: { keyId } })).toMatchObject(refusal(409, 'WrongState'));
});
