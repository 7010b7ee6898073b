import { type Found, markDropped, markIncluded, settle } from '../../../../application/outgoing/end/settle';
import type { Receipt } from '../../../../chains/types';
import { FreezeEntity } from '../../../../entities/freezes/freeze.entity';
import { outgoingStore } from '../../../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../../../entities/outgoing/payload.store';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { asSuperuser } from '../../../support/roles';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';
import { waitUntil } from '../../../support/wait-until';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const someReceipt: Receipt = { height: 10, blockHash: '0xaa', success: true, feeUnits: 21n };

async function found(id: string, receipt: Receipt = someReceipt): Promise<Found> {
  const { orgId, id: payloadId, transferId, txHash, includedHeight, includedHash } = await steps.payload(id);
  const place = { state: 'Broadcasted' as const, includedHeight, includedHash };
  return { payload: { orgId, id: payloadId, transferId, txHash: txHash ?? '', operationHash: null, ...place }, receipt };
}
const settleAll = async (all: readonly Found[]) => (await settle(database.db, steps.orgId, 'EthereumSepolia', all)).contradicting;
const sent = async (): Promise<string> => {
  const id = await steps.transfer();
  await steps.send(id);
  return id;
};

const isSomebodyBlocked = () =>
  asSuperuser(async (client) => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
    return ((await client.query(sql, [database.name])).rowCount ?? 0) > 0;
  });

test('a payload that is settled twice emits one event and changes once', async () => {
  const one = await found(await sent());
  await settleAll([one]);
  const row = await steps.row(one.payload.transferId);
  await settleAll([one]);
  await settleAll([{ ...one, receipt: { ...someReceipt, success: false } }]);
  expect(await steps.row(row.id)).toEqual(row);
  expect(row).toMatchObject({ state: 'Confirmed', version: 5, feeUnits: '21' });
  expect(await steps.events(row.id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
  expect(await steps.signals(row.id)).toEqual(['settled Confirmed']);
});

test('a receipt that contradicts the recorded receipt of the same block settles nothing and is returned', async () => {
  const [doubtful, clear] = [await found(await sent()), await found(await sent())];
  await markIncluded(database.db, steps.orgId, [doubtful]);
  const lie = { ...doubtful, receipt: { ...someReceipt, success: false } };
  expect(await settleAll([lie, clear])).toEqual([lie]);
  expect((await steps.row(lie.payload.transferId)).state).toBe('Broadcasted');
  expect((await steps.row(clear.payload.transferId)).state).toBe('Confirmed');
  const elsewhere = { ...lie, receipt: { ...lie.receipt, blockHash: '0xbb' } };
  expect(await settleAll([elsewhere])).toEqual([]);
  expect((await steps.row(lie.payload.transferId)).state).toBe('Failed');
});

test('S18: an operation that lost to a foreign operation freezes the key of its wallet', async () => {
  const lost = await found(await sent());
  const instead = { operationHash: '0x0f', success: true };
  const receipt = { ...someReceipt, success: false, carriedOutBy: '0xtheirs', instead };
  const ends = () => settle(database.db, steps.orgId, 'EthereumSepolia', [{ ...lost, receipt }]);
  const { transferId } = lost.payload;
  expect([await ends(), await ends()]).toEqual([
    { contradicting: [], foreign: [transferId] },
    { contradicting: [], foreign: [] },
  ]);
  expect(await steps.row(transferId)).toMatchObject({ state: 'Failed', reason: expect.stringMatching(/executed nothing/) });
  const frozen = await database.db.read(steps.orgId).rows(FreezeEntity, '');
  expect(frozen).toMatchObject([{ targetKind: 'Key', createdBy: null, reason: expect.stringContaining(transferId) }]);
});

test('a payload that is final is neither included again nor dropped', async () => {
  const id = await sent();
  const one = await found(id);
  await settleAll([one]);
  const before = await steps.payload(id);
  await markIncluded(database.db, steps.orgId, [{ ...one, receipt: { ...someReceipt, height: 99 } }]);
  await markDropped(database.db, steps.orgId, [one.payload]);
  expect(await steps.payload(id)).toEqual(before);
});

test('nothing is marked or settled through another organisation', async () => {
  const id = await sent();
  const one = await found(id);
  const other = await database.createOrganization();
  await markIncluded(database.db, other, [one]);
  await markDropped(database.db, other, [one.payload]);
  await expect(settle(database.db, other, 'EthereumSepolia', [one])).rejects.toMatchObject({ code: 'NotFound' });
  expect(await steps.payload(id)).toMatchObject({ state: 'Broadcasted', includedHeight: null });
});

test('as many transfers are woken as places became free, the longest waiting first', async () => {
  const ends = [await sent(), await sent()];
  const waiting: string[] = [];
  for (const second of [3, 1, 2]) {
    waiting.push(await steps.transfer({ waitingSince: new Date(Date.UTC(2030, 0, 1, 0, 0, second)) }));
  }
  await settleAll(await Promise.all(ends.map((id) => found(id))));
  expect(await Promise.all(waiting.map(steps.signals))).toEqual([[], ['laneChanged'], ['laneChanged']]);
});

test('settling a transfer and recording its sending at the same time do not deadlock', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  await steps.signTransfer(id);
  const one = await found(id);
  let isLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const sending = database.db.withOrg(steps.orgId, async (tx) => {
    await outgoingStore.lock(tx, id);
    isLocked();
    await waitUntil('the settlement to wait for the transfer', isSomebodyBlocked);
    await payloadStore.sent(tx, one.payload.id);
  });
  await locked;
  await Promise.all([sending, settleAll([one])]);
  expect(await steps.row(id)).toMatchObject({ state: 'Confirmed' });
  expect(await steps.payload(id)).toMatchObject({ state: 'Final', dateSent: expect.any(Date) });
});
