import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealShare } from '../../../signer/keys/hpke';
import { createFileKek, createKekRing } from '../../../signer/keys/kek';
import { openShareKeys, SHARE_KEY_DAYS } from '../../../signer/keys/share-keys';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const INFO = 'for this test';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'share-keys-'));
  path = join(folder, 'share-keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const kek = createFileKek(randomBytes(32));
const sealedTo = (encryptionKey: string, secret: Buffer) => sealShare(Buffer.from(encryptionKey, 'base64'), INFO, secret);
const at = (days: number) => NOW_MS + days * DAY_MS;

test('the pair stays the same until it is ninety days old, and the signer’s id never changes', async () => {
  const first = await openShareKeys(path, kek, at(0));
  const before = await openShareKeys(path, kek, at(SHARE_KEY_DAYS) - 1);
  const after = await openShareKeys(path, kek, at(SHARE_KEY_DAYS));
  expect(before.encryptionKey).toBe(first.encryptionKey);
  expect(after.encryptionKey).not.toBe(first.encryptionKey);
  expect(new Set([first, before, after].map(({ signerId }) => signerId)).size).toBe(1);
});

test('a share for the previous pair still opens, and a share for the pair before that does not', async () => {
  const secret = randomBytes(32);
  const sealed = await sealedTo((await openShareKeys(path, kek, at(0))).encryptionKey, secret);
  const second = await openShareKeys(path, kek, at(SHARE_KEY_DAYS));
  expect(await second.openShare(INFO, sealed)).toEqual(secret);
  await expect(second.openShare('for another', sealed)).rejects.toMatchObject({ reason: 'ShareNotOpened' });
  const third = await openShareKeys(path, kek, at(2 * SHARE_KEY_DAYS));
  await expect(third.openShare(INFO, sealed)).rejects.toMatchObject({ reason: 'ShareNotOpened' });
});

test('at its start the signer wraps the pairs under a new key-encryption key, and then no longer needs the old key', async () => {
  const secret = randomBytes(32);
  const first = await openShareKeys(path, kek, at(0));
  const sealed = await sealedTo(first.encryptionKey, secret);
  const next = createFileKek(randomBytes(32));
  await openShareKeys(path, createKekRing(next, [kek]), at(1));
  const without = await openShareKeys(path, next, at(2));
  expect(without.encryptionKey).toBe(first.encryptionKey);
  expect(await without.openShare(INFO, sealed)).toEqual(secret);
});

test('without the key that wrapped the pairs the signer does not start, and the pairs stay unchanged', async () => {
  await openShareKeys(path, kek, at(0));
  const before = readFileSync(path, 'utf8');
  const stranger = createKekRing(createFileKek(randomBytes(32)), []);
  await expect(openShareKeys(path, stranger, at(1))).rejects.toThrow();
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test.each(['', '{}', '{"signerId":"sgn-1","pairs":[]}'])(
  'the signer does not start if the file cannot be read as pairs: %j',
  async (text) => {
    writeFileSync(path, text);
    await expect(openShareKeys(path, kek, at(0))).rejects.toThrow(/does not contain the signer's key pairs/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('the file contains no secret in the clear', async () => {
  const secret = randomBytes(32);
  const keys = await openShareKeys(path, kek, at(0));
  const sealed = await sealedTo(keys.encryptionKey, secret);
  expect(await keys.openShare(INFO, sealed)).toEqual(secret);
  const { pairs } = JSON.parse(readFileSync(path, 'utf8')) as { pairs: { wrappedHex: string }[] };
  // 12 bytes of IV, 32 bytes of secret and 16 bytes of tag make 60 bytes.
  expect(pairs.map(({ wrappedHex }) => wrappedHex.length)).toEqual([2 * 60]);
});
