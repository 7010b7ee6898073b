import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { lengthPrefixed, openSealed, seal } from '../../../signer/keys/aead';
import { createDek, openDek, openKey, sealKey } from '../../../signer/keys/envelope';
import { createFileKek } from '../../../signer/keys/kek';
import type { DekRow, SealedKeyRow } from '../../../signer/protocol';
import { schemeOf } from '../../../signer/schemes/scheme';
import { flippedHex } from '../../support/flipped-hex';
import { kekOf } from '../fixtures';

const kek = kekOf(1);
const { createSecret, publicKeyHexOf } = schemeOf({ scheme: 'ECDSA', curve: 'secp256k1' });
const KEY = { orgId: 'or-a', keyId: 'key-1' };
let dekA: DekRow;
let dekB: DekRow;
let plainA: Buffer;
let plainB: Buffer;
let row: SealedKeyRow;
let other: SealedKeyRow;

function sealNew(dek: Buffer, dekId: string, keyId: string): SealedKeyRow {
  const secret = createSecret();
  const place = {
    orgId: 'or-a',
    keyId,
    scheme: 'ECDSA',
    curve: 'secp256k1',
    publicKeyHex: publicKeyHexOf(secret),
    dekId,
  } as const;
  return sealKey(dek, place, secret);
}

beforeAll(async () => {
  dekA = await createDek(kek, 'or-a');
  dekB = await createDek(kek, 'or-b');
  plainA = await openDek(kek, dekA, 'or-a');
  plainB = await openDek(kek, dekB, 'or-b');
  row = sealNew(plainA, dekA.dekId, 'key-1');
  other = sealNew(plainA, dekA.dekId, 'key-2');
});

test('a sealed key opens to the secret of its public key', () => {
  expect(publicKeyHexOf(openKey(plainA, row, KEY))).toBe(row.publicKeyHex);
});

test('one key that is sealed twice gives two ciphertexts, and neither contains the key', () => {
  const secret = Buffer.alloc(32, 1);
  const place = { ...row, publicKeyHex: publicKeyHexOf(secret) };
  const [first, second] = [sealKey(plainA, place, secret), sealKey(plainA, place, secret)];
  expect(first.ciphertextHex).not.toBe(second.ciphertextHex);
  expect(first.ciphertextHex).not.toContain('01'.repeat(8));
});

// A row in which an attacker with the database has changed the scheme or the curve.
const renamed = (sealed: SealedKeyRow, members: Record<string, string>): SealedKeyRow => Object.assign({}, sealed, members);

test.each<[string, () => unknown]>([
  ['the ciphertext of another key in the row', () => openKey(plainA, { ...row, ciphertextHex: other.ciphertextHex }, KEY)],
  ['the whole row of another key', () => openKey(plainA, other, KEY)],
  ['the row of another key under this id', () => openKey(plainA, { ...other, keyId: 'key-1' }, KEY)],
  ['a different organisation in the row', () => openKey(plainA, { ...row, orgId: 'or-b' }, { ...KEY, orgId: 'or-b' })],
  ['a different scheme', () => openKey(plainA, renamed(row, { scheme: 'Schnorr' }), KEY)],
  ['a different curve', () => openKey(plainA, renamed(row, { curve: 'ed25519' }), KEY)],
  ['a different public key', () => openKey(plainA, { ...row, publicKeyHex: other.publicKeyHex }, KEY)],
  ['a different data key id', () => openKey(plainA, { ...row, dekId: 'dek-x' }, KEY)],
  ['the data key of another organisation', () => openKey(plainB, row, KEY)],
  ['a flipped bit of the key', () => openKey(plainA, { ...row, ciphertextHex: flippedHex(row.ciphertextHex, 20) }, KEY)],
  ['a flipped bit of the tag', () => openKey(plainA, { ...row, ciphertextHex: flippedHex(row.ciphertextHex, 59) }, KEY)],
  ['a truncated ciphertext', () => openKey(plainA, { ...row, ciphertextHex: row.ciphertextHex.slice(0, -8) }, KEY)],
  [
    'a ciphertext that is cut to a few bytes',
    () => openKey(plainA, { ...row, ciphertextHex: row.ciphertextHex.slice(0, 40) }, KEY),
  ],
])('refused: %s', (_what, open) => {
  expect(open).toThrow();
});

test.each<[string, () => Promise<Buffer>]>([
  ['a data key moved to another organisation', () => openDek(kek, { ...dekA, orgId: 'or-b' }, 'or-b')],
  ['a data key that another organisation requests', () => openDek(kek, dekA, 'or-b')],
  ['a data key under another id', () => openDek(kek, { ...dekA, dekId: dekB.dekId }, 'or-a')],
  ['a data key under a different key with the same id', () => openDek({ ...kekOf(2), id: kek.id }, dekA, 'or-a')],
  ['a data key under another root key', () => openDek(kekOf(2), dekA, 'or-a')],
  ['a commitment to another data key', () => openDek(kek, { ...dekA, commitHex: dekB.commitHex }, 'or-a')],
  ['a truncated commitment', () => openDek(kek, { ...dekA, commitHex: dekA.commitHex.slice(2) }, 'or-a')],
  ['a flipped bit', () => openDek(kek, { ...dekA, wrappedHex: flippedHex(dekA.wrappedHex, 15) }, 'or-a')],
])('refused: %s', async (_what, open) => {
  await expect(open()).rejects.toThrow();
});

test('different lists of fields never join to the same bytes', () => {
  expect(lengthPrefixed('ab', 'c').equals(lengthPrefixed('a', 'bc'))).toBe(false);
  expect(lengthPrefixed('a', '').equals(lengthPrefixed('a'))).toBe(false);
});

test('a tag of four bytes is refused', () => {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update('secret'), cipher.final()]);
  const short = cipher.getAuthTag().subarray(0, 4);
  // Node accepts the short tag if no length of the tag is stated.
  const careless = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(short);
  expect(Buffer.concat([careless.update(body), careless.final()]).toString()).toBe('secret');
  expect(() => openSealed(key, Buffer.concat([iv, body, short]), Buffer.alloc(0))).toThrow();
  expect(openSealed(key, seal(key, Buffer.from('x'), Buffer.alloc(0)), Buffer.alloc(0)).toString()).toBe('x');
});

test('the buffer of the root key is wiped, and only equal keys have equal ids', () => {
  const secret = Buffer.alloc(32, 9);
  const { id } = createFileKek(secret);
  expect(secret.equals(Buffer.alloc(32))).toBe(true);
  expect(id).toBe(kekOf(9).id);
  expect(id).not.toBe(kekOf(8).id);
});
