import { createFollower, type OnAlarm } from '../../../../activities/outgoing/follow/follower';
import { networkOf } from '../../../../chains/networks';
import type { Receipt } from '../../../../chains/types';
import { type OpenPayloads, openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const network = { ...networkOf('EthereumSepolia'), watchedBlocks: 10 };
const ON_TOP = network.confirmations - 1;
const BELIEVED_MS = 10_000;

let database: TestDatabase;
let openPayloads: OpenPayloads;
let steps: TransferSteps;
let now: number;
let alarms: Parameters<OnAlarm>[];
let look: () => Promise<boolean>;

beforeEach(async () => {
  database = await createTestDatabase();
  openPayloads = openPayloadsOver(database.relayUrl);
  steps = await createTransferSteps(database.db, await database.createOrganization());
  [now, alarms] = [1_000, []];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const onAlarm: OnAlarm = (...alarm) => alarms.push(alarm);
  const { step } = createFollower({ db: database.db, gateway: steps.chain.gateway, network, openPayloads, onAlarm });
  look = step;
});
afterEach(async () => {
  jest.restoreAllMocks();
  await openPayloads?.close();
  await database?.close();
});

/** A transfer that has ended with a final transaction, and the height of that transaction. */
async function final(failed = false) {
  const id = await steps.transfer();
  const txHash = await steps.send(id);
  const height = steps.chain.mine([txHash], { empty: ON_TOP, failed });
  await look();
  return { id, txHash, height };
}
const stateOf = async (id: string) => [(await steps.row(id)).state, (await steps.payload(id)).state];
/** Looks twice, with enough time in between for the present answer of the node to be believed. */
async function believed() {
  await look();
  now += BELIEVED_MS;
  await look();
}

test.each([
  ['Confirmed', false, 'wallet.transfer.confirmed 5'],
  ['Failed', true, 'wallet.transfer.failed 5'],
] as const)(
  '%s: a reorganisation after finality is reported, the nonce is claimed again, and the same bytes settle the transfer again',
  async (end, failed, told) => {
    const { id, txHash, height } = await final(failed);
    expect(await stateOf(id)).toEqual([end, 'Final']);
    steps.chain.cut(height);
    steps.chain.mine([], { empty: 5 });
    await look();
    expect(await stateOf(id)).toEqual([end, 'Final']);
    now += BELIEVED_MS;
    await look();
    expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
    expect(await steps.row(id)).toMatchObject({
      dateConfirmed: null,
      feeUnits: null,
      reason: expect.stringMatching(/reorganisation/),
    });
    expect(await steps.claims()).toEqual(['0 Signing']);
    expect(alarms).toEqual([['Reversed', [id]]]);
    now += 10_001;
    await look();
    expect(steps.chain.sent).toHaveLength(2);
    expect(new Set(steps.chain.sent).size).toBe(1);
    steps.chain.mine([txHash], { empty: ON_TOP });
    await look();
    expect(await steps.row(id)).toMatchObject({ state: 'Confirmed', reason: null });
    expect(await steps.claims()).toEqual(['0 Consumed']);
    expect(await steps.events(id)).toEqual([
      'wallet.transfer.broadcasted 4',
      told,
      'wallet.transfer.reversed 6',
      'wallet.transfer.confirmed 7',
    ]);
  },
);

test('a cancelled payment is included in velocity windows again as soon as a reorganisation undoes the cancellation', async () => {
  const counted = () =>
    database.db
      .read(steps.orgId)
      .select<{ id: string; amount: string }>(
        'SELECT activity_id AS id, amount_usd_micro::text AS amount FROM usage_reservations ORDER BY id',
        [],
      );
  const first = await steps.transfer({ state: 'Requested', policyEpoch: null });
  expect(await steps.evaluate(first)).toEqual({ outcome: 'Cleared' });
  const before = await counted();
  expect(before).toMatchObject([{ id: first, amount: expect.stringMatching(/^\d+$/) }]);
  await steps.send(first);
  const replacement = { form: 'Transaction', replacementKind: 'Cancel', replacesId: first, claimsOf: first } as const;
  const none = await steps.transfer({ ...replacement, contract: null, amountUnits: '0', toAddress: steps.address });
  const txHash = await steps.send(none);
  const height = steps.chain.mine([txHash], { empty: ON_TOP });
  await look();
  expect([(await steps.row(first)).state, await counted()]).toEqual(['Failed', []]);
  steps.chain.cut(height);
  steps.chain.mine([], { empty: 5 });
  await believed();
  expect([(await steps.row(first)).state, await counted()]).toEqual(['Broadcasted', before]);
});

/** Sends an operation and mines its transaction, which reverts. `told` replaces the receipt that the node reports. */
async function operation(id: string, told: () => Partial<Receipt> | undefined) {
  const txHash = await steps.send(id);
  const { id: payloadId } = await steps.payload(id);
  await database.db.withOrg(steps.orgId, (tx) => tx.update(PayloadEntity, { id: payloadId }, { operationHash: '0x0b' }));
  const { receipts } = steps.chain.gateway;
  jest.spyOn(steps.chain.gateway, 'receipts').mockImplementation(async (hashes) => {
    const found = await receipts(hashes);
    const [own, more] = [found.get(txHash), told()];
    found.delete(txHash);
    return own && more ? found.set(txHash, { ...own, ...more }) : found;
  });
  return { txHash, height: steps.chain.mine([txHash], { failed: true }) };
}
const THEIRS = '0xtheirs';

test('a settlement by a stranger’s transaction is undone with its block, even after finality, and a new block restores it', async () => {
  const id = await steps.transfer();
  let end: Partial<Receipt> | undefined;
  const { txHash } = await operation(id, () => end);
  const carriedOut = async () => {
    const height = steps.chain.mine([THEIRS]);
    const blockHash = (await steps.chain.gateway.block(height))?.hash ?? '';
    end = { height, blockHash, success: true, carriedOutBy: THEIRS, isElsewhere: true };
    return height;
  };
  const gone = (height: number) => {
    end = undefined;
    steps.chain.cut(height);
    steps.chain.mine([], { empty: 5 });
  };
  const height = await carriedOut();
  now += 10_001;
  await look();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  gone(height);
  await look();
  expect([await stateOf(id), alarms]).toEqual([['Broadcasted', 'Broadcasted'], []]);

  const final = await carriedOut();
  steps.chain.mine([], { empty: ON_TOP - 1 });
  now += 10_001;
  await look();
  expect(await steps.row(id)).toMatchObject({ state: 'Confirmed', txHash: THEIRS });
  gone(final);
  await believed();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
  expect(await steps.row(id)).toMatchObject({ txHash, feeUnits: null, reason: expect.stringMatching(/another party/) });
  expect([await steps.claims(), alarms]).toEqual([['0 Signing'], [['Reversed', [id]]]]);
  await carriedOut();
  steps.chain.mine([], { empty: ON_TOP });
  now += 10_001;
  await look();
  expect(await steps.row(id)).toMatchObject({ state: 'Confirmed', txHash: THEIRS, reason: null });
  expect((await steps.events(id)).map((told) => told.split(/[. ]/)[2])).toEqual([
    'broadcasted',
    'confirmed',
    'reversed',
    'confirmed',
  ]);
});

test('a reorganisation reopens both a cancellation and the operation that a stranger executed; the operation is counted once', async () => {
  const wanted = await steps.transfer({ state: 'Requested', policyEpoch: null });
  await steps.evaluate(wanted);
  const wantedHash = await steps.send(wanted);
  const { id: payloadId } = await steps.payload(wanted);
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.update(PayloadEntity, { id: payloadId }, { operationHash: '0x0a' });
  });
  const replacement = { form: 'Transaction', replacementKind: 'Cancel', replacesId: wanted, claimsOf: wanted } as const;
  const cancel = await steps.transfer({ ...replacement, amountUnits: '0', toAddress: steps.address });
  let end: Partial<Receipt> | undefined = {
    success: false,
    carriedOutBy: THEIRS,
    instead: { operationHash: '0x0a', success: true },
  };
  const { height } = await operation(cancel, () => end);
  steps.chain.mine([], { empty: ON_TOP });
  now += 10_001;
  await look();
  expect([(await steps.row(wanted)).state, (await steps.row(wanted)).txHash]).toEqual(['Confirmed', THEIRS]);
  expect((await steps.row(cancel)).state).toBe('Failed');
  end = undefined;
  steps.chain.cut(height);
  steps.chain.mine([], { empty: 5 });
  await believed();
  expect([(await steps.row(wanted)).state, (await steps.row(wanted)).txHash]).toEqual(['Broadcasted', wantedHash]);
  expect([await stateOf(cancel), alarms]).toEqual([['Broadcasted', 'Broadcasted'], [['Reversed', [cancel, wanted]]]]);
  const counted = await database.db
    .read(steps.orgId)
    .select('SELECT activity_id FROM usage_reservations WHERE activity_id = $1', [wanted]);
  expect([counted.length, await steps.claims()]).toEqual([1, ['0 Signing']]);
});

test('a transaction that only moved to another block is not reversed, and is watched there', async () => {
  const { id, txHash, height } = await final();
  steps.chain.cut(height);
  const moved = steps.chain.mine([txHash], { empty: 4 });
  await believed();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect((await steps.payload(id)).includedHash).toBe((await steps.chain.gateway.block(moved))?.hash);
  steps.chain.cut(moved);
  steps.chain.mine([], { empty: 6 });
  await believed();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
});

test('a node that lags, or contradicts itself for a moment, reverses no transfer', async () => {
  const { id, height } = await final();
  const { block } = steps.chain.gateway;
  jest.spyOn(steps.chain.gateway, 'block').mockResolvedValue(undefined);
  const receipts = jest.spyOn(steps.chain.gateway, 'receipts').mockResolvedValue(new Map());
  steps.chain.mine();
  await believed();
  receipts.mockRestore();
  jest.spyOn(steps.chain.gateway, 'block').mockResolvedValueOnce({ height, hash: '0xother', parentHash: '0x', txHashes: [] });
  jest.mocked(steps.chain.gateway.block).mockImplementation(block);
  steps.chain.mine();
  await believed();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(alarms).toEqual([]);
});

test('a block of an unbroken chain is requested once, and a block deeper than the watched depth is not requested', async () => {
  await final();
  for (let block = 0; block <= network.watchedBlocks; block += 1) {
    steps.chain.mine();
    await look();
  }
  const asked = steps.chain.asked.length;
  for (let again = 0; again < 3; again += 1) await look();
  expect(steps.chain.asked.length - asked).toBe(0);
  expect(steps.chain.asked.filter((name) => name === 'receipts').length).toBeLessThan(4);
});
