import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDek, openDek } from '../../../signer/keys/envelope';
import { createFileKek, createKekRing } from '../../../signer/keys/kek';
import { createRotations } from '../../../signer/orders/rotations';
import { flippedHex } from '../../support/flipped-hex';
import { kekOf, keyOrder, ORG, openOperations, orderFor, refusedAs, temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
afterAll(() => folder.remove());
let count = 0;
const open = async () => {
  count += 1;
  const path = join(folder.path, String(count));
  mkdirSync(path);
  return { path, operations: await openOperations(path) };
};
/** The key-encryption key of the operations in the fixtures. */
const OLD = kekOf(7);
const NEW = kekOf(8);
const both = createKekRing(kekOf(8), [kekOf(7)]);

test('a data key that was wrapped again is the same key, and opens only under the new key-encryption key', async () => {
  const { path, operations } = await open();
  const created = await operations.createKey(keyOrder('key-1'));
  await operations.close();
  const rotating = await openOperations(path);
  const { rewrapDek } = createRotations(both, rotating.keyLog);
  const rewrapped = await rewrapDek({ orgId: ORG, dek: created.dek, kekId: NEW.id });
  expect(rewrapped).toMatchObject({ dekId: created.dek.dekId, commitHex: created.dek.commitHex, kekId: NEW.id });
  expect(await openDek(NEW, rewrapped, ORG)).toEqual(await openDek(OLD, created.dek, ORG));
  await expect(openDek(OLD, rewrapped, ORG)).rejects.toThrow();
  expect(await rewrapDek({ orgId: ORG, dek: rewrapped, kekId: NEW.id })).toEqual(rewrapped);
  await rotating.close();

  const reopened = await openOperations(path);
  expect(reopened.keyLog.find('key-1')).toEqual({ ...created, dek: rewrapped });
  expect(await reopened.keyLog.deksNotUnder(NEW.id)).toEqual([]);
  await reopened.close();
});

test('data keys that only the journal contains are wrapped again too, one batch at a time', async () => {
  const { operations } = await open();
  for (let n = 0; n < 101; n += 1) await operations.keyLog.recordDek(await createDek(OLD, `or-${n}`));
  const { rewrapJournal } = createRotations(both, operations.keyLog);
  expect(await rewrapJournal({ kekId: NEW.id })).toEqual({ left: 1 });
  expect(await rewrapJournal({ kekId: NEW.id })).toEqual({ left: 0 });
  expect(await rewrapJournal({ kekId: NEW.id })).toEqual({ left: 0 });
  const row = operations.keyLog.findDek('or-100');
  expect(row?.kekId).toBe(NEW.id);
  await operations.close();
});

test('an order for a key-encryption key other than the active one is refused', async () => {
  const { operations } = await open();
  const { dek } = await operations.createKey(keyOrder('key-1'));
  const { rewrapDek, rewrapJournal } = createRotations(both, operations.keyLog);
  await expect(rewrapDek({ orgId: ORG, dek, kekId: OLD.id })).rejects.toThrow(refusedAs('KekNotActive'));
  await expect(rewrapJournal({ kekId: OLD.id })).rejects.toThrow(refusedAs('KekNotActive'));
  await operations.close();
});

test('another organisation’s data key, or an altered data key, is not wrapped again', async () => {
  const { operations } = await open();
  const { dek } = await operations.createKey(keyOrder('key-1'));
  const { rewrapDek } = createRotations(both, operations.keyLog);
  const altered = { ...dek, wrappedHex: flippedHex(dek.wrappedHex, 0) };
  for (const order of [
    { orgId: 'or-other', dek, kekId: NEW.id },
    { orgId: 'or-other', dek: { ...dek, orgId: 'or-other' }, kekId: NEW.id },
    { orgId: ORG, dek: altered, kekId: NEW.id },
    { orgId: ORG, dek: { ...dek, kekId: NEW.id }, kekId: NEW.id },
  ]) {
    await expect(rewrapDek(order)).rejects.toThrow(refusedAs('EnvelopeRejected'));
  }
  expect(await operations.keyLog.deksNotUnder(OLD.id)).toEqual([]);
  await operations.close();
});

test('an order under a key-encryption key that the signer lacks gets KekUnavailable, which is not final', async () => {
  const { operations } = await open();
  const { dek } = await operations.createKey(keyOrder('key-1'));
  const alone = createKekRing(createFileKek(Buffer.alloc(32, 9)), []);
  await expect(openDek(alone, dek, ORG)).rejects.toMatchObject({ name: 'KekUnavailable' });
  await operations.close();
});

test('a request makes one new data key; new keys are sealed under it, and old keys are sealed again under it', async () => {
  const { path, operations } = await open();
  const created = await operations.createKey(keyOrder('key-1'));
  const made = await operations.createDek({ requestId: 'ro-1', orgId: ORG });
  expect(await operations.createDek({ requestId: 'ro-1', orgId: ORG })).toEqual(made);
  // Another organisation gets its own data key under the same request id.
  expect((await operations.createDek({ requestId: 'ro-1', orgId: 'or-other' })).dekId).not.toBe(made.dekId);
  expect(made.dekId).not.toBe(created.dek.dekId);
  expect((await operations.createKey(keyOrder('key-2'))).dek).toEqual(made);

  const order = { orgId: ORG, keyId: 'key-1', sealed: created.sealed, dek: created.dek, target: made };
  const resealed = await operations.resealKey(order);
  expect(resealed).toMatchObject({ keyId: 'key-1', publicKeyHex: created.publicKeyHex, dekId: made.dekId });
  expect(await operations.resealKey(order)).toEqual(resealed);
  const now = { publicKeyHex: created.publicKeyHex, sealed: resealed, dek: made };
  const signature = await operations.signTransfer(orderFor(created, 'xfr-1'));
  expect(await operations.signTransfer(orderFor(now, 'xfr-1'))).toEqual(signature);
  await operations.close();

  const reopened = await openOperations(path);
  expect(reopened.keyLog.find('key-1')).toEqual(now);
  expect(reopened.keyLog.size).toBe(2);
  expect(reopened.keyLog.dekOf({ orgId: made.orgId, requestId: 'ro-1' })).toEqual(made);
  await reopened.close();
});

test('making a key with a row from before a rotation restores neither the old wrapping nor the old data key', async () => {
  const { path, operations } = await open();
  const first = await operations.createKey(keyOrder('key-1'));
  const { rewrapDek, createDek: makeDek } = createRotations(both, operations.keyLog);
  const rewrapped = await rewrapDek({ orgId: ORG, dek: first.dek, kekId: NEW.id });
  const made = await makeDek({ requestId: 'ro-1', orgId: ORG });
  await operations.createKey({ ...keyOrder('key-2'), dek: first.dek });
  const assertKept = ({ keyLog }: typeof operations) => {
    expect(keyLog.find('key-2')?.dek).toEqual(rewrapped);
    expect(keyLog.findDek(ORG)).toEqual(made);
  };
  assertKept(operations);
  await operations.close();
  const reopened = await openOperations(path);
  assertKept(reopened);
  await reopened.close();
});

test('a key is sealed again only for its own organisation and under its own id', async () => {
  const { operations } = await open();
  const created = await operations.createKey(keyOrder('key-1'));
  const other = await operations.createKey(keyOrder('key-2'));
  const target = await operations.createDek({ requestId: 'ro-1', orgId: ORG });
  const foreign = await operations.createDek({ requestId: 'ro-2', orgId: 'or-other' });
  const order = { orgId: ORG, keyId: 'key-1', sealed: created.sealed, dek: created.dek, target };
  for (const wrong of [
    { ...order, target: foreign },
    { ...order, orgId: 'or-other' },
    { ...order, keyId: 'key-2' },
    { ...order, sealed: { ...created.sealed, publicKeyHex: other.publicKeyHex } },
    { ...order, dek: target },
  ]) {
    await expect(operations.resealKey(wrong)).rejects.toThrow(refusedAs('EnvelopeRejected'));
  }
  expect(operations.keyLog.find('key-1')).toEqual(created);
  await operations.close();
});
