import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDek, openKey } from '../../../signer/keys/envelope';
import { schemeOf } from '../../../signer/schemes/scheme';
import { keyOrder, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
const { publicKeyHexOf } = schemeOf({ scheme: 'ECDSA', curve: 'secp256k1' });
let operations: Awaited<ReturnType<typeof openOperations>>;
beforeAll(async () => {
  operations = await openOperations(folder.path);
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

test('a new key opens to the secret of the public key that was returned', async () => {
  const { publicKeyHex, sealed, dek } = await operations.createKey(keyOrder('key-1'));
  const plain = await openDek(operations.kek, dek, ORG);
  const secret = openKey(plain, sealed, { orgId: ORG, keyId: 'key-1' });
  expect(publicKeyHexOf(secret)).toBe(publicKeyHex);
  expect(sealed).toMatchObject({ orgId: ORG, keyId: 'key-1', publicKeyHex, dekId: dek.dekId });
  expect(readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')).not.toContain(secret.toString('hex'));
});

test('a new key is in the journal before it is returned', async () => {
  const { sealed } = await operations.createKey(keyOrder('key-2'));
  expect(readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')).toContain(sealed.ciphertextHex);
});

test('orders with one key id get the same key: at once, one after another, and after a restart', async () => {
  const [first, second] = await Promise.all([operations.createKey(keyOrder('key-3')), operations.createKey(keyOrder('key-3'))]);
  expect(second).toEqual(first);
  expect(await operations.createKey(keyOrder('key-3'))).toEqual(first);
  await operations.close();
  operations = await openOperations(folder.path);
  expect(await operations.createKey(keyOrder('key-3'))).toEqual(first);
});

test('a key id of one organisation is refused to every other organisation', async () => {
  await operations.createKey(keyOrder('key-4'));
  await expect(operations.createKey(keyOrder('key-4', 'or-other'))).rejects.toThrow(refusedAs('KeyIdReused'));
});

test('an organisation has one data key, even if its first keys are ordered at once', async () => {
  const orders = ['a', 'b', 'c'].map((name) => keyOrder(`key-5-${name}`, 'or-new'));
  const made = await Promise.all(orders.map((order) => operations.createKey(order)));
  expect(new Set(made.map(({ dek }) => dek.dekId)).size).toBe(1);
  expect(new Set(made.map(({ publicKeyHex }) => publicKeyHex)).size).toBe(3);
});

test('the data key that the caller specifies is used', async () => {
  const { dek } = await operations.createKey(keyOrder('key-6', 'or-six'));
  expect((await operations.createKey({ ...keyOrder('key-7', 'or-six'), dek })).dek).toEqual(dek);
});

test('the data key of another organisation is refused, and the refusal does not block the next order', async () => {
  const { dek } = await operations.createKey(keyOrder('key-8', 'or-eight'));
  await expect(operations.createKey({ ...keyOrder('key-9', 'or-nine'), dek })).rejects.toThrow(refusedAs('EnvelopeRejected'));
  await expect(operations.createKey(keyOrder('key-9', 'or-nine'))).resolves.toBeDefined();
});
