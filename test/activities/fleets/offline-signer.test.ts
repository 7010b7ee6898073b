import { explainTransfer } from '../../../application/explain/records';
import { OfflineRequestEntity } from '../../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../../entities/fleets/offline-request.store';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { blockerStore } from '../../../entities/outgoing/blocker.store';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  await write(KeyEntity, {}, { storeId: 'ks-1', sealed: null, dataKeyId: null });
});

const write: <E extends object>(entity: new () => E, where: Partial<E>, set: Partial<E>) => Promise<void> = (
  entity,
  where,
  set,
) =>
  database.db.withOrg(steps.orgId, async (tx) => {
    await tx.update(entity, where as never, set as never);
  });
const reading = () => database.db.read(steps.orgId);
const waiting = async (id: string) => (await offlineRequestStore.find(reading(), id)) ?? Promise.reject(new Error('no row'));
const stageOf = async (id: string) => (await explainTransfer(reading(), await steps.row(id))).stage;

/** A transfer that waits for the device. */
async function atDevice(): Promise<string> {
  const id = await steps.transfer();
  expect(await steps.prepare(id)).toBe('Ready');
  expect(await steps.signTransfer(id)).toBe('Offline');
  return id;
}

/** The signature that the device makes over the bytes of the transfer `of`. */
async function deviceSigns(id: string, of = id): Promise<void> {
  const { unsignedHex: bytesHex } = await steps.payload(of);
  const { signature, digestHex } = await steps.sign({ bytesHex } as never);
  const vouched = { groupId: 'fg-1', vouchedOrder: '{}', messages: [digestHex], dateCollected: new Date() };
  await write(
    OfflineRequestEntity,
    { requestId: id },
    { ...vouched, digestHex, signatures: [signature], dateSigned: new Date() },
  );
}

test('a transfer with a key in an offline store waits with its claim, and no order reaches the signer', async () => {
  const id = await atDevice();
  const first = await waiting(id);
  expect(first).toMatchObject({ op: 'signTransfer', storeId: 'ks-1', groupId: null, signatures: null });
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', version: 2, hindrance: null });
  expect(await steps.claims()).toEqual(['0 Signing']);
  expect([await steps.signTransfer(id), await steps.signTransfer(id)]).toEqual(['Offline', 'Offline']);
  expect(await waiting(id)).toEqual(first);
  expect(steps.orders).toEqual([]);
  expect(await explainTransfer(reading(), await steps.row(id))).toMatchObject({
    stage: 'OfflineSigning',
    since: first.dateCreated.toISOString(),
    summary: 'The transfer waits for the next group that carries it to an offline device.',
  });
});

test('the step that prepares and sends at once leaves an offline transfer to wait', async () => {
  const id = await steps.transfer();
  expect(await steps.prepareThrough(id)).toBe('Ready');
  expect(await steps.row(id)).toMatchObject({ state: 'Signing' });
  expect(await steps.signTransfer(id)).toBe('Offline');
});

test('with the signature of the device the transfer continues like any other', async () => {
  const id = await atDevice();
  await deviceSigns(id);
  expect(await stageOf(id)).toBe('Signing');
  expect(await Promise.all([steps.signTransfer(id), steps.signTransfer(id)])).toEqual(['Signed', 'Signed']);
  expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3, txHash: (await steps.payload(id)).txHash });
  expect(steps.orders).toEqual([]);
  const { messages, signatures } = await waiting(id);
  const [{ r, s } = { r: '', s: '' }] = signatures ?? [];
  expect(steps.deviceSignatures[0]).toMatchObject({ requestId: id, messages, signatures: [{ r, s }] });
  await steps.broadcast(id);
  expect(steps.chain.sent).toHaveLength(1);
});

test('a signature over other bytes is never attached, and the transfer keeps its nonce', async () => {
  const [id, other] = [await atDevice(), await atDevice()];
  await deviceSigns(id, other);
  await expect(steps.signTransfer(id)).rejects.toThrow();
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', txHash: null });
});

test('a request whose content changed while it waited stops, because the device may have signed the first content', async () => {
  const id = await atDevice();
  await deviceSigns(id);
  await write(OfflineRequestEntity, { requestId: id }, { contentDigest: '00'.repeat(32) });
  await expect(steps.signTransfer(id)).rejects.toMatchObject({ code: 'Internal' });
  expect(await stageOf(id)).toBe('StoppedForOperator');
});

test('an abort before the collection ends the transfer, and an abort after it does not', async () => {
  const [before, after] = [await atDevice(), await atDevice()];
  for (const id of [before, after]) await write(OutgoingEntity, { id }, { abortAsked: new Date() });
  expect(await steps.signTransfer(before)).toBe('Refused');
  expect(await steps.row(before)).toMatchObject({ state: 'Failed' });
  steps.withdraw = async () => ({ withdrawn: false });
  expect(await steps.signTransfer(after)).toBe('Offline');
  await deviceSigns(after);
  expect(await steps.signTransfer(after)).toBe('Signed');
});

test('a freeze that comes while the transfer waits holds even a signed transfer, and the release continues the wait', async () => {
  const id = await atDevice();
  const freezeId = newId('freeze');
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.insert(FreezeEntity, {
      ...{ orgId: steps.orgId, id: freezeId, targetKind: 'Wallet', targetId: steps.walletId, reason: 'lost' },
      ...{ createdBy: steps.userId, userActionId: '' },
    }),
  );
  await deviceSigns(id);
  expect(await steps.signTransfer(id)).toEqual({ frozenBy: freezeId });
  expect(await stageOf(id)).toBe('Frozen');
  await write(FreezeEntity, { id: freezeId }, { dateReleased: new Date(), releasedBy: '', releaseActionId: '' });
  expect(await steps.signTransfer(id)).toBe('Signed');
});

test('a key that is deactivated while the transfer waits does not free the claimed nonce', async () => {
  const id = await atDevice();
  await write(KeyEntity, {}, { status: 'Archived' });
  expect(await steps.signTransfer(id)).toBe('Offline');
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test('an obstacle of an earlier attempt is gone once the transfer waits for the device', async () => {
  const id = await atDevice();
  const blocked = { table: 'transfers', id } as const;
  await database.db.withOrg(steps.orgId, (tx) => blockerStore.note(tx, blocked, { kind: 'SignerUnavailable', detail: null }));
  expect(await stageOf(id)).toBe('SignerUnavailable');
  expect(await steps.signTransfer(id)).toBe('Offline');
  expect(await stageOf(id)).toBe('OfflineSigning');
});

test('only open requests of the store that no group carries wait, oldest first', async () => {
  const [first, second, third] = [await atDevice(), await atDevice(), await atDevice()];
  const ids = async () => (await offlineRequestStore.waiting(reading(), 'ks-1')).map(({ requestId }) => requestId);
  expect(await ids()).toEqual([first, second, third]);
  expect(await offlineRequestStore.waiting(reading(), 'ks-2')).toEqual([]);
  await deviceSigns(second);
  await write(OutgoingEntity, { id: first }, { abortAsked: new Date() });
  await steps.signTransfer(first);
  expect(await ids()).toEqual([third]);
});
