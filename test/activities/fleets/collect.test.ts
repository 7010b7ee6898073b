import { REQUEST_OVERHEAD_BYTES } from '../../../activities/fleets/vouching';
import { utxoReplacement } from '../../../application/outgoing/utxo/replacement';
import { AppError } from '../../../domain/errors';
import { fleetGroupStore } from '../../../entities/fleets/fleet-group.store';
import { FleetOperationEntity } from '../../../entities/fleets/fleet-operation.entity';
import { OfflineRequestEntity } from '../../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../../entities/fleets/offline-request.store';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createOfflineSteps, OFFLINE_STORE_ID, type OfflineSteps } from '../../support/offline-steps';

let database: TestDatabase;
let steps: OfflineSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createOfflineSteps(database);
});

const idsOf = (requests: readonly { readonly requestId: string }[]) => requests.map(({ requestId }) => requestId);
const refusal = (nothingSigned: boolean) => new AppError('SignerRefused', 'the signer refused: PolicyBlocked', { nothingSigned });

test('a group carries each waiting transfer with the order for which the signer has vouched', async () => {
  const [first, second] = [await steps.atDevice(), await steps.atDevice()];
  const groupId = await steps.group();
  const requests = await steps.collect(groupId);
  expect(idsOf(requests)).toEqual([first, second]);
  const [order] = steps.vouchedOrders.filter(({ requestId }) => requestId === first);
  expect(order).toMatchObject({
    requestId: first,
    bytesHex: (await steps.payload(first)).unsignedHex,
    ...{ scheme: 'ECDSA', curve: 'secp256k1', store: { storeId: OFFLINE_STORE_ID, groupId } },
    evidence: [{ kind: 'Initiator', userId: steps.userId }],
  });
  expect(Object.keys(order ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/sealed|dek|custody/)]));
  const row = await steps.request(first);
  expect(requests[0]).toMatchObject({ op: 'vouchTransfer', key: { curve: 'secp256k1', index: 0 }, order: row.vouchedOrder });
  expect(row).toMatchObject({ groupId, signatures: null, digestHex: row.messages?.[0] });
  expect(await steps.row(first)).toMatchObject({ state: 'Signing' });
  expect(await steps.signTransfer(first)).toBe('Offline');
});

test('a repeated collection for the same group returns the same requests with the same operations', async () => {
  await steps.atDevice();
  const groupId = await steps.group();
  const once = await steps.collect(groupId);
  expect(await steps.collect(groupId)).toEqual(once);
  const operations = await database.db.read(steps.orgId).rows(FleetOperationEntity, 'WHERE t.group_id = $1', [groupId]);
  expect(operations.filter(({ kind, subjectId }) => kind === 'OnchainSign' && subjectId !== null)).toHaveLength(1);
});

test('a canceled group gives its transfers back, and the next group carries the same payload', async () => {
  const id = await steps.atDevice();
  const first = await steps.group();
  const [before] = await steps.collect(first);
  await steps.endGroup(first, 'Canceled');
  const second = await steps.group();
  const [after] = await steps.collect(second);
  expect(after).toMatchObject({ requestId: id, order: before?.order });
  expect(await steps.request(id)).toMatchObject({ groupId: second });
  expect(after?.operationId).not.toBe(before?.operationId);
});

test('a transfer that the signer refuses is left out and ends, and its workflow is woken', async () => {
  const [refused, other] = [await steps.atDevice(), await steps.atDevice()];
  steps.refuse = ({ requestId }) => {
    if (requestId === refused) throw refusal(true);
  };
  expect(idsOf(await steps.collect(await steps.group()))).toEqual([other]);
  expect(await steps.row(refused)).toMatchObject({ state: 'Failed', reason: 'the signer refused: PolicyBlocked' });
  expect([await steps.signals(refused), await steps.signals(other)]).toEqual([['offlineChanged'], []]);
});

test('a transfer that the signer may have signed before is left out, and keeps its state and nonce', async () => {
  const [refused, other] = [await steps.atDevice(), await steps.atDevice()];
  steps.refuse = ({ requestId }) => {
    if (requestId === refused) throw refusal(false);
  };
  expect(idsOf(await steps.collect(await steps.group()))).toEqual([other]);
  expect(await steps.row(refused)).toMatchObject({ state: 'Signing' });
  expect(await steps.claims()).toEqual(['0 Signing', '1 Signing']);
});

test('a transfer that another request is about to replace enters no further archive, unless that request has failed', async () => {
  const [replaced, other] = [await steps.atDevice(), await steps.atDevice()];
  const first = await steps.group();
  expect(idsOf(await steps.collect(first))).toEqual([replaced, other]);
  await steps.endGroup(first, 'Canceled');
  const cancel = { replacementKind: 'Cancel', replacesId: replaced, claimsOf: replaced } as const;
  const cancellation = await steps.transfer({ ...cancel, amountUnits: '0', state: 'AwaitingApproval' });
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id: replaced }, { replacedById: cancellation }));
  const second = await steps.group();
  expect(idsOf(await steps.collect(second))).toEqual([other]);
  await steps.endGroup(second, 'Canceled');
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id: cancellation }, { state: 'Rejected' }));
  expect(idsOf(await steps.collect(await steps.group()))).toEqual([replaced, other]);
});

test('on Bitcoin, a request is cancelled only once an archive with it exists: before, an abort costs nothing', async () => {
  const id = await steps.atDevice();
  const row = Object.assign(await steps.row(id), { network: 'BitcoinSignet' });
  const why = () => database.db.withOrg(steps.orgId, async (tx) => utxoReplacement.whoPrevents?.(tx, row));
  expect(await why()).toMatch(/abort it/);
  const group = await steps.group();
  await steps.collect(group);
  expect(await why()).toBeUndefined();
  await steps.endGroup(group, 'Canceled');
  expect(await why()).toBeUndefined();
});

test('frozen and aborted transfers are left out, before the signer vouches for anything', async () => {
  const [aborted, frozen] = [await steps.atDevice(), await steps.atDevice()];
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.update(OutgoingEntity, { id: aborted }, { abortAsked: new Date() });
    await tx.insert(FreezeEntity, {
      ...{ orgId: steps.orgId, id: newId('freeze'), targetKind: 'Wallet', targetId: steps.walletId, reason: 'lost' },
      ...{ createdBy: steps.userId, userActionId: '' },
    });
  });
  expect(await steps.collect(await steps.group())).toEqual([]);
  expect(steps.vouchedOrders).toEqual([]);
  expect([(await steps.row(aborted)).state, (await steps.row(frozen)).state]).toEqual(['Failed', 'Signing']);
});

test('a transfer under a changed policy is left out until it has been judged again', async () => {
  const id = await steps.atDevice();
  await database.db.withOrg(steps.orgId, (tx) => tx.run('UPDATE organizations SET policy_epoch = policy_epoch + 1', []));
  expect(await steps.collect(await steps.group())).toEqual([]);
  expect(steps.vouchedOrders).toEqual([]);
  expect(await steps.signals(id)).toEqual(['offlineChanged']);
});

test('a signer that is away ends the attempt, and the next attempt collects everything', async () => {
  const ids = [await steps.atDevice(), await steps.atDevice()];
  const groupId = await steps.group();
  steps.refuse = () => {
    throw new AppError('SignerUnavailable', 'no answer');
  };
  await expect(steps.collect(groupId)).rejects.toMatchObject({ code: 'SignerUnavailable' });
  steps.refuse = () => undefined;
  expect(idsOf(await steps.collect(groupId))).toEqual(ids);
});

test('a transfer whose content differs from the content for the device is never vouched for', async () => {
  const id = await steps.atDevice();
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OfflineRequestEntity, { requestId: id }, { contentDigest: '00' }));
  expect(await steps.collect(await steps.group())).toEqual([]);
  expect(steps.vouchedOrders).toEqual([]);
});

test('a signed transfer and a transfer of another store are not carried', async () => {
  const [signed, other] = [await steps.atDevice(), await steps.atDevice()];
  const groupId = await steps.group();
  await steps.collect(groupId);
  await database.db.withOrg(steps.orgId, async (tx) => {
    expect(await offlineRequestStore.signed(tx, signed, groupId, [])).toBe(true);
    expect(await offlineRequestStore.signed(tx, signed, groupId, [])).toBe(false);
    expect(await offlineRequestStore.signed(tx, other, newId('fleetGroup'), [])).toBe(false);
    await tx.update(OfflineRequestEntity, { requestId: other }, { storeId: 'ks-2' });
  });
  await steps.endGroup(groupId, 'Canceled');
  expect(await steps.collect(await steps.group())).toEqual([]);
});

test('a group with too many requests for its archive carries the oldest ones', async () => {
  const [second, third, oldest] = [await steps.atDevice(), await steps.atDevice(), await steps.atDevice()];
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.run(`UPDATE offline_requests SET date_created = date_created - interval '1 day' WHERE request_id = $1`, [oldest]),
  );
  const read = (most?: number) => offlineRequestStore.waiting(database.db.read(steps.orgId), OFFLINE_STORE_ID, most);
  expect(idsOf(await read())).toEqual([oldest, second, third]);
  expect(idsOf(await read(2))).toEqual([oldest, second]);
  expect(idsOf(await read(3))).toEqual([oldest, second, third]);
});

test('a request that does not fit into the archive is not vouched for and waits for the next group', async () => {
  const [first, second] = [await steps.atDevice(), await steps.atDevice()];
  await steps.collect(await steps.group());
  const bytes = Buffer.byteLength(JSON.stringify((await steps.request(first)).vouchedOrder)) + REQUEST_OVERHEAD_BYTES;
  const vouched = steps.vouchedOrders.length;
  const { id } = (await fleetGroupStore.openOf(database.db.read(steps.orgId), OFFLINE_STORE_ID)) ?? {};
  expect(idsOf(await steps.collect(id ?? '', bytes))).toHaveLength(1);
  expect(steps.vouchedOrders).toHaveLength(vouched + 1);
  expect(await steps.collect(id ?? '', bytes - 1)).toEqual([]);
  expect((await steps.row(second)).state).toBe('Signing');
});
