import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOperatorKey, publicHexOf, readOperatorKey, signCharter } from '../../../operator/charters/operator-key';
import { isSignedBy, operatorKeyOf } from '../../../signer/charters/charter';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);

test('the printed public half verifies what the written private half signs; the file is private and never replaced', async () => {
  const hex = await makeOperatorKey(path('key'));
  expect(hex).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(path('key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(path('key'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  const signed = signCharter('a text', readOperatorKey(path('key')));
  expect(isSignedBy(operatorKeyOf(Buffer.from(hex, 'hex')), signed)).toBe(true);
  expect(isSignedBy(operatorKeyOf(Buffer.from(hex, 'hex')), { ...signed, charter: 'a texT' })).toBe(false);
  const before = readFileSync(path('key'));
  await expect(makeOperatorKey(path('key'))).rejects.toThrow('not overwritten');
  expect(readFileSync(path('key'))).toEqual(before);
});

test('a key that others can read, a key of a different kind and a missing key are refused', async () => {
  await makeOperatorKey(path('open'));
  chmodSync(path('open'), 0o640);
  expect(() => readOperatorKey(path('open'))).toThrow('only its owner may read it');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(path('ec'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  expect(() => readOperatorKey(path('ec'))).toThrow('does not hold an Ed25519 private key');
  writeFileSync(path('junk'), 'junk', { mode: 0o600 });
  expect(() => readOperatorKey(path('junk'))).toThrow('does not hold an Ed25519 private key');
  expect(() => readOperatorKey(path('none'))).toThrow('cannot be read');
  await makeOperatorKey(path('good'));
  expect(publicHexOf(readOperatorKey(path('good')))).toHaveLength(64);
});
