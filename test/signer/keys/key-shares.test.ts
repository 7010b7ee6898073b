import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDek, openKey } from '../../../signer/keys/envelope';
import { createSharePair, openShare, sealShare } from '../../../signer/keys/hpke';
import { exportInfo, importInfo } from '../../../signer/keys/key-shares';
import type { CreatedKey, ExportKeyOrder, ImportKeyOrder, SignPayloadOrder } from '../../../signer/protocol';
import { schemeOf } from '../../../signer/schemes/scheme';
import { keyOrder, NOW_MS, ORG, openOperations, orderFor, refusedAs, temporaryFolder } from '../fixtures';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let recipient: { secret: Buffer; publicKey: Buffer };
let count = 0;
beforeAll(async () => {
  operations = await openOperations(folder.path);
  recipient = await createSharePair();
});
beforeEach(() => {
  count += 1;
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

const times = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };

function exportOrder({ sealed, dek }: CreatedKey, changes: Partial<ExportKeyOrder> = {}): ExportKeyOrder {
  const { orgId, keyId } = sealed;
  const recipientKey = recipient.publicKey.toString('base64');
  return { requestId: `exp-${count}`, orgId, keyId, recipientKey, sealed, dek, ...times, ...changes };
}

const FORM = { scheme: 'ECDSA', curve: 'secp256k1' } as const;
type Wanted = Partial<ImportKeyOrder> & { readonly info?: string };

/** An order to import the secret. The share is encrypted as docs/key-shares.md describes. */
async function importOrder(secret: Uint8Array, { info, ...changes }: Wanted = {}): Promise<ImportKeyOrder> {
  const { signerId, encryptionKey } = operations.health();
  const order = { requestId: `imp-${count}`, orgId: ORG, keyId: `key-imported-${count}`, ...FORM, ...changes };
  const bound = info ?? importInfo({ orgId: order.orgId, curve: order.curve, signerId });
  const share = await sealShare(Buffer.from(encryptionKey, 'base64'), bound, secret);
  return { encryptedShare: share.toString('base64'), ...order };
}

async function secretOf({ sealed, dek }: CreatedKey): Promise<Buffer> {
  return openKey(await openDek(operations.kek, dek, sealed.orgId), sealed, sealed);
}

test.each([
  { scheme: 'ECDSA', curve: 'secp256k1' },
  { scheme: 'ECDSA', curve: 'stark' },
  { scheme: 'EdDSA', curve: 'ed25519' },
  { scheme: 'Schnorr', curve: 'secp256k1' },
  { scheme: 'DH', curve: 'secp256k1' },
] as const)('$scheme on $curve is exported, and an import into another organisation gives the same key', async (form) => {
  const created = await operations.createKey({ orgId: ORG, keyId: `key-${count}`, ...form });
  const { encryptedShare } = await operations.exportKey(exportOrder(created));
  const info = exportInfo({ orgId: ORG, curve: form.curve, publicKeyHex: created.publicKeyHex });
  const share = await openShare(recipient.secret, info, Buffer.from(encryptedShare, 'base64'));
  expect(schemeOf(form).publicKeyHexOf(share)).toBe(created.publicKeyHex);

  const imported = await operations.importKey(await importOrder(share, { orgId: OTHER_ORG, ...form }));
  expect(imported.publicKeyHex).toBe(created.publicKeyHex);
  expect((await secretOf(imported)).equals(share)).toBe(true);
});

test('an imported key signs like any other key', async () => {
  const created = await operations.importKey(await importOrder(Buffer.alloc(32, 7)));
  await expect(operations.signTransfer(orderFor(created, `xfr-${count}`, { nonce: 900 + count }))).resolves.toBeDefined();
});

test('a second import under the same request returns the same key, also after a restart', async () => {
  const order = await importOrder(Buffer.alloc(32, 8));
  const first = await operations.importKey(order);
  expect(await operations.importKey(order)).toEqual(first);
  await operations.close();
  operations = await openOperations(folder.path);
  expect(await operations.importKey(order)).toEqual(first);
  await expect(operations.importKey({ ...order, requestId: 'imp-other' })).rejects.toThrow(refusedAs('KeyIdReused'));
  await expect(operations.createKey({ orgId: ORG, keyId: order.keyId, ...FORM })).rejects.toThrow(refusedAs('KeyIdReused'));
});

test('a key that the organisation already has is not imported a second time', async () => {
  const created = await operations.createKey(keyOrder(`key-${count}`));
  await expect(operations.importKey(await importOrder(await secretOf(created)))).rejects.toThrow(refusedAs('KeyExists'));
  await operations.importKey(await importOrder(Buffer.alloc(32, 9)));
  const again = await importOrder(Buffer.alloc(32, 9), { keyId: `key-again-${count}`, requestId: `imp-again-${count}` });
  await expect(operations.importKey(again)).rejects.toThrow(refusedAs('KeyExists'));
});

test.each<[string, string, () => Promise<ImportKeyOrder>]>([
  ['a share for another organisation', 'ShareNotOpened', async () => ({ ...(await importOrder(SECRET)), orgId: OTHER_ORG })],
  [
    'a share for another curve',
    'ShareNotOpened',
    async () => ({ ...(await importOrder(SECRET)), scheme: 'EdDSA', curve: 'ed25519' }),
  ],
  [
    'a share for another signer',
    'ShareNotOpened',
    () => importOrder(SECRET, { info: importInfo({ orgId: ORG, curve: 'secp256k1', signerId: 'sgn-other' }) }),
  ],
  [
    'an exported share that is sent back',
    'ShareNotOpened',
    () => importOrder(SECRET, { info: exportInfo({ orgId: ORG, curve: 'secp256k1', publicKeyHex: '' }) }),
  ],
  [
    'a share that is random bytes',
    'ShareNotOpened',
    () => importOrder(SECRET, { encryptedShare: Buffer.alloc(80, 3).toString('base64') }),
  ],
  ['zero', 'InvalidSecret', () => importOrder(Buffer.alloc(32))],
  ['a number above the group order', 'InvalidSecret', () => importOrder(Buffer.alloc(32, 0xff))],
])('%s is refused as %s and leaves no trace', async (_what, reason, make) => {
  const order = await make();
  const [keys, journal] = [operations.keyLog.size, readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')];
  await expect(operations.importKey(order)).rejects.toThrow(refusedAs(reason));
  expect(operations.keyLog.size).toBe(keys);
  expect(readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')).toBe(journal);
});
const SECRET = Buffer.alloc(32, 0x33);

test('an exported key no longer signs, at once and after a restart', async () => {
  const created = await operations.createKey(keyOrder(`key-${count}`));
  const { sealed, dek } = created;
  const before = orderFor(created, `xfr-before-${count}`, { nonce: 700 });
  const signed = await operations.signTransfer(before);
  await operations.exportKey(exportOrder(created));

  const digestHex = `0x${'5a'.repeat(32)}`;
  const payload: SignPayloadOrder = {
    ...{ requestId: `sig-${count}`, orgId: ORG, keyId: sealed.keyId, payload: { kind: 'Hash', digestHex }, sealed, dek },
    ...{ evidence: [], policyEpoch: 0, ...times },
  };
  for (const round of ['at once', 'after a restart']) {
    const next = orderFor(created, `xfr-after-${count}-${round.length}`, { nonce: 701 });
    await expect(operations.signTransfer(next)).rejects.toThrow(refusedAs('KeyExported'));
    await expect(operations.signPayload(payload)).rejects.toThrow(refusedAs('KeyExported'));
    // The signer has already released a signature from before the export, so the signer returns this signature again.
    expect(await operations.signTransfer(before)).toEqual(signed);
    await operations.close();
    operations = await openOperations(folder.path);
  }
});

test('the export of a master key also ends its children, and no new child is derived', async () => {
  const master = await operations.createKey(keyOrder(`key-${count}`));
  const parent = { keyId: master.sealed.keyId, sealed: master.sealed, dek: master.dek };
  const child = await operations.createKey({ ...keyOrder(`key-child-${count}`), parent: { ...parent, path: "m/0'" } });
  await operations.signTransfer(orderFor(child, `xfr-child-${count}`, { nonce: 800 }));
  await operations.exportKey(exportOrder(master));
  const next = orderFor(child, `xfr-child-next-${count}`, { nonce: 801 });
  await expect(operations.signTransfer(next)).rejects.toThrow(refusedAs('KeyExported'));
  const another = { ...keyOrder(`key-child-2-${count}`), parent: { ...parent, path: "m/1'" } };
  await expect(operations.createKey(another)).rejects.toThrow(refusedAs('KeyExported'));
});

test('an exported Diffie-Hellman key no longer derives shared secrets', async () => {
  const created = await operations.createKey({ orgId: ORG, keyId: `key-${count}`, scheme: 'DH', curve: 'secp256k1' });
  const { sealed, dek } = created;
  const order = {
    requestId: `drv-${count}`,
    orgId: ORG,
    keyId: sealed.keyId,
    domainHex: '0x01',
    seedHex: '0x',
    sealed,
    dek,
    ...times,
  };
  await expect(operations.deriveShared(order)).resolves.toBeDefined();
  await operations.exportKey(exportOrder(created));
  await expect(operations.deriveShared(order)).rejects.toThrow(refusedAs('KeyExported'));
});

test('an export is in the journal before its share is returned', async () => {
  const created = await operations.createKey(keyOrder(`key-${count}`));
  await operations.exportKey(exportOrder(created));
  const lines = readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8').trim().split('\n');
  expect(lines.at(-2)).toContain(`"exported":{"requestId":"exp-${count}"`);
  expect(lines.at(-2)).toContain(recipient.publicKey.toString('base64'));
});

test('one request exports one key to one recipient', async () => {
  const created = await operations.createKey(keyOrder(`key-${count}`));
  const order = exportOrder(created);
  const shares = [await operations.exportKey(order), await operations.exportKey(order)];
  expect(new Set(shares.map(({ encryptedShare }) => encryptedShare)).size).toBe(2);
  const { publicKey } = await createSharePair();
  const redirected = { ...order, recipientKey: publicKey.toString('base64') };
  await expect(operations.exportKey(redirected)).rejects.toThrow(refusedAs('RequestIdReused'));
});

test.each<[string, string, (created: CreatedKey) => ExportKeyOrder]>([
  ['an order that is too old', 'ClockDrift', (created) => exportOrder(created, { issuedAt: '2020-01-01T00:00:00.000Z' })],
  [
    'an order after its expiry',
    'OrderExpired',
    (created) => exportOrder(created, { notAfter: new Date(NOW_MS - 1).toISOString() }),
  ],
  ['the key of another organisation', 'KeyRowMismatch', (created) => exportOrder(created, { orgId: OTHER_ORG })],
  ['the row of another key', 'KeyRowMismatch', (created) => exportOrder(created, { keyId: 'key-other' })],
  [
    'a public key that was swapped',
    'EnvelopeRejected',
    (created) => exportOrder({ ...created, sealed: { ...created.sealed, publicKeyHex: `02${'11'.repeat(32)}` } }),
  ],
  [
    'a recipient of small order',
    'InvalidRecipientKey',
    (created) => exportOrder(created, { recipientKey: Buffer.alloc(32).toString('base64') }),
  ],
])('%s does not export the key (%s), and the key continues to sign', async (_what, reason, make) => {
  const created = await operations.createKey(keyOrder(`key-${count}`));
  await expect(operations.exportKey(make(created))).rejects.toThrow(refusedAs(reason));
  await expect(operations.signTransfer(orderFor(created, `xfr-${count}`, { nonce: 100 }))).resolves.toBeDefined();
});
