import { createDek, openDek, openKey, sealKey } from '../../../signer/keys/envelope';
import { sealShare } from '../../../signer/keys/hpke';
import { importInfo } from '../../../signer/keys/key-shares';
import type { FrozenTarget } from '../../../signer/orders/freeze-orders';
import type { CreatedKey, CreateKeyOrder, ExportKeyOrder } from '../../../signer/protocol';
import { schemeOf } from '../../../signer/schemes/scheme';
import { kekOf, keyOrder, NOW_MS, ORG, openOperations, orderFor, payloadOrderFor, refusedAs, temporaryFolder } from '../fixtures';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
const RECIPIENT = Buffer.alloc(32, 9).toString('base64');
const SECRET = Buffer.alloc(32, 0x21);

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

/**
 * Writes a key into the journal under a second id. In an older release, two ids of one organisation could have one public key.
 */
async function writeAlias(keyId: string, orgId = ORG): Promise<CreatedKey> {
  const [secret, form] = [Buffer.from(SECRET), { scheme: 'ECDSA', curve: 'secp256k1' } as const];
  const dek = await createDek(kekOf(7), orgId);
  const place = { orgId, keyId, ...form, publicKeyHex: schemeOf(form).publicKeyHexOf(secret), dekId: dek.dekId };
  const sealed = sealKey(await openDek(kekOf(7), dek, orgId), place, secret);
  const created = { publicKeyHex: place.publicKeyHex, sealed, dek };
  await signer.journal.append({ kind: 'KeyCreated', created });
  return created;
}

async function imported(scheme: 'ECDSA' | 'Schnorr', keyId: string, secret: Buffer = SECRET): Promise<CreatedKey> {
  const { signerId, encryptionKey } = signer.health();
  const info = importInfo({ orgId: ORG, curve: 'secp256k1', signerId });
  const share = await sealShare(Buffer.from(encryptionKey, 'base64'), info, secret);
  const order = { requestId: `imp-${keyId}`, orgId: ORG, keyId, scheme, curve: 'secp256k1' } as const;
  return signer.importKey({ ...order, encryptedShare: share.toString('base64') });
}
const childOrder = ({ sealed, dek }: CreatedKey, keyId: string, path = 'm/0'): CreateKeyOrder => ({
  ...keyOrder(keyId),
  parent: { keyId: sealed.keyId, path, sealed, dek },
});
const freeze = (target: FrozenTarget, orgId = ORG) =>
  signer.setFreeze({ orgId, freezeId: 'frz-1', target, evidence: [], ...moment });
const hash = (key: CreatedKey, requestId: string) =>
  signer.signPayload(payloadOrderFor(key, requestId, { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` }));
const exportOrder = ({ sealed, dek }: CreatedKey, requestId = 'exp-1'): ExportKeyOrder => ({
  ...{ requestId, orgId: sealed.orgId, keyId: sealed.keyId, sealed, dek },
  ...{ recipientKey: RECIPIENT, ...moment },
});
const frozen = (done: Promise<unknown>) => expect(done).rejects.toEqual(refusedAs('Frozen'));
const exported = (done: Promise<unknown>) => expect(done).rejects.toEqual(refusedAs('KeyExported'));

test('a freeze by one id blocks the key under every other id, and another organisation’s copy still signs', async () => {
  const [first, second] = [await writeAlias('key-1'), await writeAlias('key-2')];
  const theirs = await writeAlias('key-3', OTHER_ORG);
  await freeze({ kind: 'Key', keyId: first.sealed.keyId });
  await frozen(signer.signTransfer(orderFor(second, 'xfr-1')));
  await frozen(hash(second, 'sig-1'));
  await frozen(signer.exportKey(exportOrder(second)));
  await signer.signTransfer(orderFor(theirs, 'xfr-1'));
});

test('a freeze of a wallet blocks its key under every other id on that network', async () => {
  const [first, second] = [await writeAlias('key-1'), await writeAlias('key-2')];
  await freeze({ kind: 'Wallet', keyId: first.sealed.keyId, network: 'EthereumSepolia' });
  await frozen(signer.signTransfer(orderFor(second, 'xfr-1')));
});

test('a freeze by key id in the list of an older release blocks the public key', async () => {
  await writeAlias('key-1');
  const second = await writeAlias('key-2');
  await signer.journal.append({ kind: 'FreezeSet', orgId: ORG, freezeId: 'frz-old', target: { kind: 'Key', keyId: 'key-1' } });
  await signer.close();
  signer = await openOperations(folder.path);
  await frozen(signer.signTransfer(orderFor(second, 'xfr-1')));
});

describe('a freeze of a key under an id that is not in the journal', () => {
  const keyOf = ({ sealed: { curve, publicKeyHex } }: CreatedKey) => ({ curve, publicKeyHex });

  test('blocks its public key under every id, and another organisation’s copy still signs', async () => {
    const [ours, theirs] = [await writeAlias('key-2'), await writeAlias('key-3', OTHER_ORG)];
    await freeze({ kind: 'Key', keyId: 'key-lost', publicKey: keyOf(ours) });
    await frozen(signer.signTransfer(orderFor(ours, 'xfr-1')));
    await frozen(hash(ours, 'sig-1'));
    await frozen(signer.exportKey(exportOrder(ours)));
    await signer.signTransfer(orderFor(theirs, 'xfr-1'));
  });

  test('blocks the public key only on the network of the wallet if it freezes a wallet', async () => {
    const key = await writeAlias('key-2');
    await freeze({ kind: 'Wallet', keyId: 'key-lost', publicKey: keyOf(key), network: 'EthereumSepolia' });
    await frozen(signer.signTransfer(orderFor(key, 'xfr-1')));
  });

  test('freezes the children of the key, and blocks the export of its master key', async () => {
    const master = await signer.createKey(keyOrder('key-m'));
    const child = await signer.createKey(childOrder(master, 'key-c'));
    await freeze({ kind: 'Key', keyId: 'key-lost', publicKey: keyOf(master) });
    await frozen(hash(child, 'sig-1'));
    await signer.releaseFreeze({ orgId: ORG, freezeId: 'frz-1', evidence: [EVIDENCE], ...moment });
    const target = { kind: 'Key', keyId: 'key-lost', publicKey: keyOf(child) } as const;
    await signer.setFreeze({ orgId: ORG, freezeId: 'frz-2', target, evidence: [], ...moment });
    await frozen(signer.exportKey(exportOrder(master)));
    await hash(master, 'sig-2');
  });

  test('takes the public key from a repeated order that contains one, and keeps it', async () => {
    const key = await writeAlias('key-2');
    const target = { kind: 'Key', keyId: 'key-lost' } as const;
    await freeze(target);
    await hash(key, 'sig-1');
    await freeze({ ...target, publicKey: keyOf(key) });
    await frozen(hash(key, 'sig-1'));
    await freeze(target);
    const other = await signer.createKey(keyOrder('key-4'));
    await expect(freeze({ ...target, publicKey: keyOf(other) })).rejects.toEqual(refusedAs('RequestIdReused'));
    await signer.close();
    signer = await openOperations(folder.path);
    await frozen(hash(key, 'sig-1'));
  });
});

test('an export by one id ends the key under every other id, also after a restart', async () => {
  const [first, second] = [await writeAlias('key-1'), await writeAlias('key-2')];
  await signer.exportKey(exportOrder(first));
  await exported(signer.signTransfer(orderFor(second, 'xfr-1')));
  await signer.close();
  signer = await openOperations(folder.path);
  await exported(hash(second, 'sig-1'));
  await exported(signer.createKey(childOrder(second, 'key-child')));
});

test('a secret that signs by two schemes is one key for freeze and export', async () => {
  const [ecdsa, schnorr] = [await imported('ECDSA', 'key-e'), await imported('Schnorr', 'key-s')];
  await freeze({ kind: 'Key', keyId: 'key-e' });
  await frozen(hash(schnorr, 'sig-1'));
  await signer.releaseFreeze({ orgId: ORG, freezeId: 'frz-1', evidence: [EVIDENCE], ...moment });
  await signer.exportKey(exportOrder(schnorr));
  await exported(hash(ecdsa, 'sig-2'));
});
const EVIDENCE = { kind: 'Approval' as const, approvalId: 'ap-1', digest: 'ab'.repeat(32), committed: '{}' };

test('the child of a frozen master key is frozen, and a freeze of one wallet does not freeze the child', async () => {
  const master = await signer.createKey(keyOrder('key-m'));
  const child = await signer.createKey(childOrder(master, 'key-c'));
  await freeze({ kind: 'Wallet', keyId: 'key-m', network: 'EthereumSepolia' });
  await signer.signTransfer(orderFor(child, 'xfr-1'));
  await signer.setFreeze({ orgId: ORG, freezeId: 'frz-2', target: { kind: 'Key', keyId: 'key-m' }, evidence: [], ...moment });
  await frozen(signer.signTransfer(orderFor(child, 'xfr-2', { nonce: 5 })));
  await frozen(hash(child, 'sig-1'));
  await frozen(signer.exportKey(exportOrder(child)));
});

test('one path of one master key leads to one row: a second id for the same child is refused', async () => {
  const master = await signer.createKey(keyOrder('key-m'));
  const child = await signer.createKey(childOrder(master, 'key-c'));
  expect(await signer.createKey(childOrder(master, 'key-c'))).toEqual(child);
  await expect(signer.createKey(childOrder(master, 'key-d'))).rejects.toEqual(refusedAs('KeyExists'));
  await signer.createKey(childOrder(master, 'key-d', 'm/1'));
});

test('an order with a false public key does not escape the freeze of its key', async () => {
  const key = await signer.createKey(keyOrder('key-1'));
  const other = await signer.createKey(keyOrder('key-2'));
  await hash(key, 'sig-1');
  await freeze({ kind: 'Key', keyId: 'key-1' });
  await frozen(hash({ ...key, sealed: { ...key.sealed, publicKeyHex: other.publicKeyHex } }, 'sig-1'));
});

test('an export by another organisation under the same request id is not taken for this export', async () => {
  const [ours, theirs] = [await writeAlias('key-1'), await writeAlias('key-3', OTHER_ORG)];
  await signer.exportKey(exportOrder(theirs));
  await signer.signTransfer(orderFor(ours, 'xfr-1'));
  const { encryptedShare } = await signer.exportKey(exportOrder(ours));
  expect(encryptedShare).not.toBe('');
  const plain = await openDek(signer.kek, ours.dek, ORG);
  expect(openKey(plain, ours.sealed, ours.sealed).equals(SECRET)).toBe(true);
});
