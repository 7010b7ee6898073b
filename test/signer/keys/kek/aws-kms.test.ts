import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startForwarder } from '../../../../forwarder/forwarder';
import { createLogger } from '../../../../platform/logger';
import { createDek, openDek, rewrapDek } from '../../../../signer/keys/envelope';
import { createKekRing, type KekProvider } from '../../../../signer/keys/kek';
import { createAwsKek } from '../../../../signer/keys/kek/aws-kms';
import { DekRow } from '../../../../signer/orders/key-rows';
import { createAuthority } from '../../../support/certificates';
import { flippedHex } from '../../../support/flipped-hex';
import { startKmsDouble } from '../../../support/kms-double';
import { kekOf, temporaryFolder } from '../../fixtures';

const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const folder = temporaryFolder();
const path = (name: string) => join(folder.path, name);
const logger = createLogger('forwarder', 'silent');
const authority = createAuthority();
const place = { purpose: 'wallet/dek/v1', orgId: 'or-a', dekId: 'dk-1', kekId: 'kek-aws-1' };

let kms: Awaited<ReturnType<typeof startKmsDouble>>;
let forwarder: Awaited<ReturnType<typeof startForwarder>>;
let kek: KekProvider;

const made = async (changes: object = {}) =>
  createAwsKek({
    id: 'kek-aws-1',
    arn: ARN,
    region: 'eu-central-1',
    socketPath: path('f'),
    credentialsFile: path('aws'),
    endpoint: kms.endpoint,
    caPem: Buffer.from(authority.ca),
    ...changes,
  });

beforeAll(async () => {
  const pems = authority.issue(path('tls'), { names: ['localhost'], purpose: 'server' });
  const [cert, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(pems, name), 'utf8'));
  kms = await startKmsDouble({ cert: cert ?? '', key: key ?? '' });
  forwarder = await startForwarder({ socketPath: path('f'), targets: [`localhost:${kms.port}`], logger });
  writeFileSync(path('aws'), JSON.stringify({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not-a-secret' }), { mode: 0o400 });
  kek = await made();
});
afterAll(async () => {
  await forwarder?.close();
  await kms?.close();
  folder.remove();
});
beforeEach(() => {
  kms.be('good');
  kms.requests.length = 0;
});

const unavailable = { name: 'KekUnavailable' };

test('a data key is wrapped and opened by signed requests that contain the organisation, the data key and the key-encryption key', async () => {
  const dek = randomBytes(32);
  const sealed = await kek.wrap(dek, place);
  expect(sealed.includes(dek)).toBe(false);
  expect(await kek.unwrap(sealed, place)).toEqual(dek);
  const context = { purpose: 'wallet/dek/v1', org: 'or-a', dek: 'dk-1', kek: 'kek-aws-1' };
  const authorization = expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/kms\/aws4_request/);
  expect(kms.requests).toEqual([
    { action: 'Encrypt', authorization, body: { KeyId: ARN, EncryptionContext: context, Plaintext: dek.toString('base64') } },
    {
      action: 'Decrypt',
      authorization,
      body: { KeyId: ARN, EncryptionContext: context, CiphertextBlob: sealed.toString('base64') },
    },
  ]);
});

test('the row of a data key that the service wrapped is valid and opens, and an altered row is refused without a retry', async () => {
  const row = await createDek(kek, 'or-a');
  expect(DekRow.parse(row)).toEqual(row);
  expect((await openDek(kek, row, 'or-a')).length).toBe(32);
  const fresh = await made();
  for (const wrong of [
    { ...row, dekId: 'dk-other' },
    { ...row, wrappedHex: flippedHex(row.wrappedHex, row.wrappedHex.length / 2 - 1) },
    { ...row, wrappedHex: (await createDek(kek, 'or-b')).wrappedHex },
  ]) {
    await expect(openDek(fresh, wrong, 'or-a')).rejects.toMatchObject({ name: 'Refusal', reason: 'EnvelopeRejected' });
  }
});

test('an opened data key is not requested again at once, and never opens under another context', async () => {
  const row = await createDek(kek, 'or-a');
  const first = await openDek(kek, row, 'or-a');
  first.fill(0);
  expect((await openDek(kek, row, 'or-a')).equals(Buffer.alloc(32))).toBe(false);
  expect(kms.requests.filter(({ action }) => action === 'Decrypt')).toHaveLength(1);
  await expect(openDek(kek, { ...row, dekId: 'dk-other' }, 'or-a')).rejects.toMatchObject({ reason: 'EnvelopeRejected' });
});

test('the request is repeated if the service throttles or fails once', async () => {
  kms.next('throttled', 'broken');
  expect((await kek.wrap(randomBytes(32), place)).length).toBeGreaterThan(60);
  expect(kms.requests).toHaveLength(3);
});

test.each(['throttled', 'denied', 'broken', 'garbled'] as const)(
  'while the service is %s, orders wait and no order is refused',
  async (mood) => {
    const sealed = await kek.wrap(randomBytes(32), place);
    kms.be(mood);
    await expect(kek.wrap(randomBytes(32), place)).rejects.toMatchObject(unavailable);
    await expect(kek.unwrap(sealed, place)).rejects.toMatchObject(unavailable);
  },
);

test('a call to a service that does not reply ends after a time limit', async () => {
  kms.be('silent');
  await expect(kek.wrap(randomBytes(32), place)).rejects.toMatchObject(unavailable);
}, 40_000);

test('nothing is sent without a forwarder, to an address that the forwarder does not serve, or under a foreign certificate', async () => {
  for (const changes of [
    { socketPath: path('nowhere') },
    { endpoint: `https://127.0.0.1:${kms.port}` },
    { caPem: Buffer.from(createAuthority('somebody else').ca) },
  ]) {
    await expect((await made(changes)).wrap(randomBytes(32), place)).rejects.toMatchObject(unavailable);
  }
  expect(kms.requests).toEqual([]);
});

test('a rotation leads from a file to the service and back', async () => {
  const file = kekOf(1);
  const [toService, toFile] = [createKekRing(kek, [file]), createKekRing(file, [kek])];
  const row = await createDek(file, 'or-a');
  const plain = await openDek(toService, row, 'or-a');
  const there = await rewrapDek(toService, row);
  expect(there.kekId).toBe(kek.id);
  expect(await openDek(toService, there, 'or-a')).toEqual(plain);
  expect(await openDek(file, await rewrapDek(toFile, there), 'or-a')).toEqual(plain);
});
