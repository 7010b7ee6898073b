import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { importOf, switchOn } from '../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
  await switchOn(wallets, wallets.orgId, 'keyImport');
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (body: unknown, by = wallets.admin) => by.client.change('POST', '/keys/import', body);
const rows = () => wallets.api.database.db.read(wallets.orgId).rows(KeyEntity, '');

test('200: an imported key has the public key of its secret; 409: the same secret is imported again', async () => {
  const secret = secp256k1.utils.randomSecretKey();
  const publicKey = Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex');
  const answer = await post({ ...(await importOf(wallets, wallets.orgId, secret)), name: 'Old', masterKey: true });
  expect(answer).toMatchObject({
    status: 200,
    body: { publicKey, name: 'Old', masterKey: true, imported: true, scheme: 'ECDSA', custodial: true },
  });
  const { id } = answer.body as { id: string };
  const again = await post(await importOf(wallets, wallets.orgId, secret));
  expect(again).toMatchObject(refusal(409, 'Conflict'));
  const derived = { scheme: 'ECDSA', curve: 'secp256k1', deriveFrom: { keyId: id } };
  expect(await wallets.admin.client.change('POST', '/keys', derived)).toMatchObject({ status: 200 });
});

test("200: if a curve has several schemes, the request chooses one; an end user's import belongs to the end user", async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const share = await importOf(wallets, wallets.orgId, secp256k1.utils.randomSecretKey());
  const answer = await post({ ...share, scheme: 'Schnorr' }, endUser);
  expect(answer).toMatchObject({ status: 200, body: { scheme: 'Schnorr', custodial: false } });
});

test('400: the share cannot be decrypted, is not a secret, or is for another signer; no row and no secret is stored', async () => {
  const secret = secp256k1.utils.randomSecretKey();
  const before = (await rows()).length;
  const share = 'body.encryptedKeyShares.0.encryptedKeyShare';
  const good = await importOf(wallets, wallets.orgId, secret);
  const [one] = good.encryptedKeyShares;
  const withShare = (change: object) => ({ ...good, encryptedKeyShares: [{ ...one, ...change }] });
  for (const [path, body] of [
    [share, await importOf(wallets, wallets.stranger.orgId, secret)],
    [share, await importOf(wallets, wallets.orgId, Buffer.alloc(32))],
    [share, await importOf(wallets, wallets.orgId, Buffer.alloc(32, 0xff))],
    [share, withShare({ encryptedKeyShare: randomBytes(80).toString('base64') })],
    [share, withShare({ encryptedKeyShare: randomBytes(79).toString('base64') })],
    [share, withShare({ encryptedKeyShare: 'no base64' })],
    ['body.encryptedKeyShares.0.signerId', withShare({ signerId: 'another' })],
  ] as const) {
    expect(await post(body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  }
  expect(await rows()).toHaveLength(before);
  const kept = await wallets.api.database.db
    .read(wallets.orgId)
    .select('SELECT sealed_question, sealed_answer FROM key_requests');
  expect(kept.flatMap((row) => Object.values(row)).filter((value) => value !== null)).toEqual([]);
}, 60_000);

test.each([
  ['body.curve', { curve: 'p256' }],
  ['body.scheme', { scheme: 'EdDSA' }],
  ['body.protocol', { protocol: 'CGGMP21' }],
  ['body.protocol', { protocol: 'Other' }],
  ['body.minSigners', { minSigners: 3 }],
  ['body.minSigners', { minSigners: 0 }],
  ['body.encryptedKeyShares', { encryptedKeyShares: [] }],
  ['body.encryptedKeyShares', { encryptedKeyShares: ['a', 'b'].map((signerId) => ({ signerId, encryptedKeyShare: 'AA==' })) }],
  ['body.masterKey', { scheme: 'DH', masterKey: true }],
])('400: the error reports %s for %j', async (path, change) => {
  const share = await importOf(wallets, wallets.orgId, secp256k1.utils.randomSecretKey());
  expect(await post({ ...share, ...change })).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('403: without Keys:Import, or while the organisation has not switched import on', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Create'] });
  const share = await importOf(wallets, wallets.stranger.orgId, secp256k1.utils.randomSecretKey());
  expect(await post(share, person)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await post(share, wallets.stranger)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyImport' }));
});
