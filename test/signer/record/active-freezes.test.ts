import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FrozenTarget, ReleaseFreezeOrder, SetFreezeOrder } from '../../../signer/orders/freeze-orders';
import type { CreatedKey, SignPayloadOrder } from '../../../signer/protocol';
import { keyOrder, NOW_MS, ORG, openOperations, orderFor, refusedAs, temporaryFolder } from '../fixtures';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
const evidence = [{ kind: 'Approval' as const, approvalId: 'ap-1', digest: 'ab'.repeat(32), committed: '{}' }];
const of = (freezeId: string, orgId = ORG) => ({ orgId, freezeId, evidence, ...moment });
const setting = (target: FrozenTarget, freezeId = 'frz-1', orgId = ORG) => ({ ...of(freezeId, orgId), target });

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
let other: CreatedKey;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
  [key, other] = [await signer.createKey(keyOrder('key-1')), await signer.createKey(keyOrder('key-2'))];
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const keyRows = ({ sealed, dek }: CreatedKey) => ({ orgId: sealed.orgId, keyId: sealed.keyId, sealed, dek });
const hash = (of: CreatedKey, requestId: string): SignPayloadOrder => ({
  requestId,
  ...keyRows(of),
  payload: { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` },
  evidence,
  policyEpoch: 1,
  ...moment,
});
const exportOrder = (of: CreatedKey) => ({
  requestId: 'krq-1',
  ...keyRows(of),
  recipientKey: Buffer.alloc(32, 9).toString('base64'),
  ...moment,
});

test.each<[string, FrozenTarget, { readonly transfer: boolean; readonly hash: boolean }]>([
  ['the organisation', { kind: 'Organization' }, { transfer: true, hash: true }],
  ['the key', { kind: 'Key', keyId: 'key-1' }, { transfer: true, hash: true }],
  ['another key', { kind: 'Key', keyId: 'key-2' }, { transfer: false, hash: false }],
  ['the wallet', { kind: 'Wallet', keyId: 'key-1', network: 'EthereumSepolia' }, { transfer: true, hash: true }],
  [
    'the key’s wallet on another network',
    { kind: 'Wallet', keyId: 'key-1', network: 'Ethereum' },
    { transfer: false, hash: true },
  ],
  ['the network', { kind: 'Network', network: 'EthereumSepolia' }, { transfer: true, hash: true }],
  ['another network for the same kind of key', { kind: 'Network', network: 'Ethereum' }, { transfer: false, hash: true }],
  ['a network that is unknown to this signer', { kind: 'Network', network: 'Elsewhere' }, { transfer: false, hash: true }],
])('a freeze of %s stops only the orders that it covers', async (_what, target, refused) => {
  await signer.setFreeze(setting(target));
  const transfer = signer.signTransfer(orderFor(key, 'xfr-1'));
  if (refused.transfer) await expect(transfer).rejects.toEqual(refusedAs('Frozen'));
  else await transfer;
  const signed = signer.signPayload(hash(key, 'sig-1'));
  if (refused.hash) await expect(signed).rejects.toEqual(refusedAs('Frozen'));
  else await signed;
});

test('a freeze by one organisation does not affect another organisation', async () => {
  const theirs = await signer.createKey(keyOrder('key-3', OTHER_ORG));
  await signer.setFreeze(setting({ kind: 'Organization' }));
  await signer.signTransfer(orderFor(theirs, 'xfr-2'));
  await expect(signer.signTransfer(orderFor(other, 'xfr-3', { nonce: 5 }))).rejects.toEqual(refusedAs('Frozen'));
});

test('an earlier signature is withheld during a freeze and returned unchanged afterwards', async () => {
  const signed = await signer.signTransfer(orderFor(key, 'xfr-1'));
  await signer.setFreeze(setting({ kind: 'Key', keyId: 'key-1' }));
  await expect(signer.signTransfer(orderFor(key, 'xfr-1'))).rejects.toMatchObject({ reason: 'Frozen', signedBefore: true });
  await signer.releaseFreeze(of('frz-1'));
  expect(await signer.signTransfer(orderFor(key, 'xfr-1'))).toEqual(signed);
});

test('a freeze that arrives while an order waits for its data key also stops that order', async () => {
  const order = orderFor(key, 'xfr-1');
  const signing = signer.signTransfer(order);
  const set = signer.setFreeze(setting({ kind: 'Key', keyId: 'key-1' }));
  await expect(signing).rejects.toEqual(refusedAs('Frozen'));
  await set;
  expect(signer.log.hasSigned({ orgId: ORG, requestId: 'xfr-1' })).toBe(false);
});

test('no key is exported while its child is frozen, and a frozen key does not derive', async () => {
  const { publicKeyHex: _key, ...parent } = key;
  const child = await signer.createKey({
    ...keyOrder('key-child'),
    parent: { keyId: 'key-1', path: 'm/0', sealed: parent.sealed, dek: parent.dek },
  });
  await signer.setFreeze(setting({ kind: 'Key', keyId: child.sealed.keyId }));
  await expect(signer.exportKey(exportOrder(key))).rejects.toEqual(refusedAs('Frozen'));
  expect(signer.keyLog.isExported(key.sealed)).toBe(false);
  const shared = await signer.createKey({ orgId: ORG, keyId: 'key-dh', scheme: 'DH', curve: 'secp256k1' });
  const derive = () =>
    signer.deriveShared({ requestId: 'krq-2', ...keyRows(shared), domainHex: '0x01', seedHex: '0x02', ...moment });
  await derive();
  await signer.setFreeze(setting({ kind: 'Organization' }, 'frz-2'));
  await expect(derive()).rejects.toEqual(refusedAs('Frozen'));
});

test('the service may freeze without evidence, but a release needs evidence', () => {
  const own = { ...setting({ kind: 'Key', keyId: 'key-1' }), evidence: [] };
  expect(SetFreezeOrder.safeParse(own).success).toBe(true);
  expect(ReleaseFreezeOrder.safeParse({ ...of('frz-1'), evidence: [] }).success).toBe(false);
  expect(ReleaseFreezeOrder.safeParse(of('frz-1')).success).toBe(true);
});

test('a freeze survives a restart, with the evidence in its file, and so does its release', async () => {
  await signer.setFreeze(setting({ kind: 'Key', keyId: 'key-1' }));
  await signer.close();
  signer = await openOperations(folder.path);
  await expect(signer.signTransfer(orderFor(key, 'xfr-1'))).rejects.toEqual(refusedAs('Frozen'));
  expect(readFileSync(join(folder.path, 'journal-000001.jsonl'), 'utf8')).toContain('"approvalId":"ap-1"');
  await signer.releaseFreeze(of('frz-1'));
  await signer.close();
  signer = await openOperations(folder.path);
  await signer.signTransfer(orderFor(key, 'xfr-1'));
});

test('a repeated order gets the same reply, and a key with two freezes stays frozen when one is released', async () => {
  const target = { kind: 'Key', keyId: 'key-1' } as const;
  expect([await signer.setFreeze(setting(target)), await signer.setFreeze(setting(target))]).toEqual([
    { standing: true },
    { standing: true },
  ]);
  await signer.setFreeze(setting({ kind: 'Organization' }, 'frz-2'));
  expect([await signer.releaseFreeze(of('frz-1')), await signer.releaseFreeze(of('frz-1'))]).toEqual([
    { standing: false },
    { standing: false },
  ]);
  await expect(signer.signTransfer(orderFor(key, 'xfr-1'))).rejects.toEqual(refusedAs('Frozen'));
  const changed = signer.setFreeze(setting({ kind: 'Key', keyId: 'key-2' }, 'frz-2'));
  await expect(changed).rejects.toEqual(refusedAs('RequestIdReused'));
});

test('an order to freeze that arrives after the release of the same freeze has no effect', async () => {
  expect(await signer.releaseFreeze(of('frz-1'))).toEqual({ standing: false });
  expect(await signer.setFreeze(setting({ kind: 'Organization' }))).toEqual({ standing: false });
  await signer.signTransfer(orderFor(key, 'xfr-1'));
});

test('a release by another organisation and an expired release have no effect', async () => {
  await signer.setFreeze(setting({ kind: 'Organization' }));
  await signer.releaseFreeze(of('frz-1', OTHER_ORG));
  const late = { ...of('frz-1'), notAfter: new Date(NOW_MS - 1).toISOString() };
  await expect(signer.releaseFreeze(late)).rejects.toEqual(refusedAs('OrderExpired'));
  await expect(signer.signTransfer(orderFor(key, 'xfr-1'))).rejects.toEqual(refusedAs('Frozen'));
});
