import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRotationActivities, ROTATED_AT_ONCE } from '../../../activities/keys/rotations';
import { AppError } from '../../../domain/errors';
import { type HousekeepingStore, openHousekeepingStore } from '../../../entities/housekeeping/housekeeping.store';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyStore } from '../../../entities/keys/key.store';
import { rotationStore } from '../../../entities/keys/rotation.store';
import { newId } from '../../../platform/ids';
import { createLogger } from '../../../platform/logger';
import { createFileKek, createKekRing, type KekProvider } from '../../../signer/keys/kek';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import { openOperations } from '../../../signer/orders/operations';
import { createTestDatabase, type TestDatabase } from '../../support/database';

const OLD = () => createFileKek(Buffer.alloc(32, 1));
const NEW = () => createFileKek(Buffer.alloc(32, 2));
const fail = (cause: Error) => {
  throw cause;
};
let folder: string;

let database: TestDatabase;
let housekeeping: HousekeepingStore;
let signer: Awaited<ReturnType<typeof openOperations>>;
let orgId: string;
const lines: string[] = [];
const logger = createLogger('worker', 'info', { write: (line) => lines.push(line) });

async function openSigner(kek: KekProvider): Promise<void> {
  await signer?.close();
  signer = await openOperations({
    switches: new Set(),
    stateDir: folder,
    kek,
    signing: createPortableSigning(kek),
    nowMs: () => Date.now(),
    onBroken: fail,
  });
}
beforeAll(async () => {
  database = await createTestDatabase();
  housekeeping = openHousekeepingStore(database.relayUrl);
});
afterAll(async () => {
  await signer?.close();
  await housekeeping?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  lines.length = 0;
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), 'rotations-'));
  await openSigner(OLD());
  orgId = await database.createOrganization();
});

/** The signer as its client shows it: each refusal becomes an `AppError`. */
function activities(changes: object = {}) {
  const { health, ...orders } = signer.operations;
  const seen =
    <O, R>(order: (given: O) => Promise<R>) =>
    (given: O) =>
      order(given).catch((error: unknown) => {
        throw error instanceof Error && error.name === 'Refusal' ? new AppError('SignerRefused', error.message) : error;
      });
  const asked = {
    health: async () => health(),
    rewrapDek: seen(orders.rewrapDek),
    rewrapJournal: seen(orders.rewrapJournal),
    createDek: seen(orders.createDek),
    resealKey: seen(orders.resealKey),
    ...changes,
  };
  return createRotationActivities({ db: database.db, housekeeping, signer: asked, logger });
}
const run = <A, R>(activity: (given: A) => Promise<R>, given: A): Promise<R> =>
  new MockActivityEnvironment().run(activity, given);

const reader = () => database.db.read(orgId);

async function makeKey(): Promise<string> {
  const keyId = newId('key');
  const dek = await keyStore.presentDataKey(reader());
  const order = { orgId, keyId, scheme: 'ECDSA', curve: 'secp256k1', ...(dek ? { dek } : {}) } as const;
  const { sealed, dek: row } = await signer.operations.createKey(order);
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(KeyEntity, { orgId, id: keyId, scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating' });
    await keyStore.activate(tx, { keyId: sealed.keyId, publicKeyHex: sealed.publicKeyHex, secret: { sealed, dek: row } });
  });
  return keyId;
}
const opens = async (keyId: string) => {
  const { sealed, dek } = await keyStore.forSigning(reader(), keyId);
  const target = await signer.operations.createDek({ requestId: newId('event'), orgId });
  return signer.operations.resealKey({ orgId, keyId, sealed, dek, target });
};

test('data keys are rewrapped once under the active key, page by page, and can be opened without the old key', async () => {
  const keyId = await makeKey();
  await openSigner(createKekRing(NEW(), [OLD()]));
  const { readActiveKek, rewrapDataKeys, rewrapSignerJournal } = activities();
  const kekId = await readActiveKek();
  expect((await run(rewrapDataKeys, { kekId })).done).toBeGreaterThanOrEqual(1);
  expect(await run(rewrapDataKeys, { kekId })).toEqual({ looked: 0, done: 0, refused: 0 });
  expect(await rewrapSignerJournal({ kekId })).toBe(0);
  expect(await rotationStore.standing(reader())).toEqual([expect.objectContaining({ kekId, state: 'Active', keys: 1 })]);
  await openSigner(NEW());
  await opens(keyId);
});

test('a row that changed while the signer rewrapped it keeps the change and is left to the next pass', async () => {
  await makeKey();
  await openSigner(createKekRing(NEW(), [OLD()]));
  const kekId = NEW().id;
  const others = { wrapped: 'aa', kekId: 'kek-other' };
  const { rewrapDataKeys } = activities({
    rewrapDek: async (order: Parameters<typeof signer.operations.rewrapDek>[0]) => {
      await database.db.withOrg(order.orgId, (tx) => tx.query(`UPDATE data_keys SET wrapped = 'aa', kek_id = 'kek-other'`));
      return signer.operations.rewrapDek(order);
    },
  });
  expect(await run(rewrapDataKeys, { kekId })).toMatchObject({ done: 0, refused: 0 });
  expect(await rotationStore.wrapped(reader(), (await rotationStore.standing(reader()))[0]?.id ?? '')).toMatchObject({
    wrappedHex: others.wrapped,
    kekId: others.kekId,
  });
  await database.db.withOrg(orgId, (tx) => tx.query(`UPDATE data_keys SET kek_id = $1`, [kekId]));
});

test('a row that the signer cannot open is reported and skipped; an unavailable signer fails the page', async () => {
  const [good, bad] = [await makeKey(), await makeKey()];
  await database.db.withOrg(orgId, (tx) => tx.query(`UPDATE keys SET sealed = $1 WHERE id = $2`, ['00'.repeat(60), bad]));
  const { renewDataKey, resealKeys } = activities();
  await renewDataKey({ orgId, rotationId: 'ro-1' });
  expect(await run(resealKeys, { orgId })).toEqual({ looked: 2, done: 1, refused: 1 });
  expect(await run(resealKeys, { orgId })).toEqual({ looked: 1, done: 0, refused: 1 });
  expect(lines.filter((line) => line.includes(bad))).toHaveLength(2);
  await opens(good);
  const away = activities({ resealKey: () => Promise.reject(new AppError('SignerUnavailable', 'away')) });
  await expect(run(away.resealKeys, { orgId })).rejects.toMatchObject({ code: 'SignerUnavailable' });
});

test('a repeated renewal makes one data key, and a page continues after the last key of the page before', async () => {
  for (let n = 0; n < ROTATED_AT_ONCE + 1; n += 1) await makeKey();
  const { renewDataKey, resealKeys } = activities();
  await renewDataKey({ orgId, rotationId: 'ro-1' });
  await renewDataKey({ orgId, rotationId: 'ro-1' });
  const first = await run(resealKeys, { orgId });
  expect(first).toEqual({ looked: ROTATED_AT_ONCE, done: ROTATED_AT_ONCE, refused: 0, next: expect.any(String) });
  expect(await run(resealKeys, { orgId, after: first.next ?? '' })).toEqual({ looked: 1, done: 1, refused: 0 });
  const states = (await rotationStore.standing(reader())).map(({ state, keys }) => [state, keys]);
  expect(states).toEqual([
    ['DecryptOnly', 0],
    ['Active', ROTATED_AT_ONCE + 1],
  ]);
});

test('a data key can be destroyed only when it seals no key, and a destroyed data key cannot seal a key again', async () => {
  const keyId = await makeKey();
  const before = await keyStore.forSigning(reader(), keyId);
  const destroy = (id: string) => database.db.withOrg(orgId, (tx) => rotationStore.destroy(tx, id));
  await expect(destroy(before.dek.dekId)).rejects.toMatchObject({ code: 'WrongState' });
  const { renewDataKey, resealKeys, listKeyOwners } = activities();
  await renewDataKey({ orgId, rotationId: 'ro-1' });
  await expect(destroy(before.dek.dekId)).rejects.toMatchObject({ code: 'WrongState' });
  await run(resealKeys, { orgId });
  await destroy(before.dek.dekId);
  await destroy(before.dek.dekId);
  await expect(destroy('dk-nowhere')).rejects.toMatchObject({ code: 'NotFound' });
  const now = await keyStore.forSigning(reader(), keyId);
  const back = database.db.withOrg(orgId, (tx) => rotationStore.reseal(tx, now.sealed, before.sealed));
  await expect(back).rejects.toThrow(/is destroyed/);
  expect(await listKeyOwners({})).toContain(orgId);
});
