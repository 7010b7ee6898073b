/** @own-modules: this file sets the records of networks. */
import { createLaneActivities } from '../../../../activities/outgoing/lanes/lanes';
import { explainTransfer } from '../../../../application/explain/records';
import { failTransfer } from '../../../../application/outgoing/end/fail';
import { transactionView } from '../../../../application/outgoing/transaction-view';
import { networkOf, overrideRecord } from '../../../../chains/networks';
import type { LaneLook, LaneMemory } from '../../../../domain/lanes';
import { feeSponsorStore } from '../../../../entities/fee-sponsors/fee-sponsor.store';
import { freezeRecordStore } from '../../../../entities/freezes/freeze-record.store';
import { laneStore, nonceClaim } from '../../../../entities/outgoing/lane.store';
import { laneCareStore } from '../../../../entities/outgoing/lane-care.store';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { payloadStore } from '../../../../entities/outgoing/payload.store';
import { newId } from '../../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { RECIPIENT } from '../../../support/policies';
import { createTransferSteps, ETHER, FEE_UNITS, type TransferSteps } from '../../../support/transfer-steps';

const NETWORK = 'EthereumSepolia' as const;
const GWEI = 1_000_000_000n;

let database: TestDatabase;
let steps: TransferSteps;
let careForLane: ReturnType<typeof createLaneActivities>['careForLane'];
let baseFeePerGas: bigint;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  baseFeePerGas = GWEI;
  const tier = { maxPriorityFeePerGas: 1n, maxFeePerGas: 2n };
  const feeEstimates = async () => ({
    kind: 'Eip1559' as const,
    blockNumber: 1,
    baseFeePerGas,
    tiers: { Slow: tier, Standard: tier, Fast: tier },
  });
  const readers = () => ({ ...steps.reader, feeEstimates });
  ({ careForLane } = createLaneActivities({ db: database.db, readers, gateways: () => steps.chain.gateway }));
});
afterEach(() => overrideRecord(NETWORK, { speedsUpStuck: true }));

const look = (memory?: LaneMemory) =>
  careForLane({ orgId: steps.orgId, network: NETWORK, address: steps.address, ...(memory ? { memory } : {}) });
const memoryOf = (seen: LaneLook): LaneMemory | undefined => (seen.kind === 'Watched' ? seen.memory : undefined);
/** Checks the lane (the queue of the sender) twice, with enough blocks in between for a problem to be reported. */
async function standing(): Promise<LaneLook> {
  const first = await look();
  steps.chain.mine([], { empty: 2 });
  return look(memoryOf(first));
}
const sent = async (): Promise<{ id: string; txHash: string }> => {
  const id = await steps.transfer();
  return { id, txHash: await steps.send(id) };
};
const made = async (): Promise<OutgoingEntity[]> =>
  database.db.read(steps.orgId).rows(OutgoingEntity, 'WHERE t.made_by_service ORDER BY t.id');
const explained = async (id: string) => explainTransfer(database.db.read(steps.orgId), await steps.row(id));

test('a lane from which nothing was sent is healthy', async () => {
  await steps.transfer();
  expect(await look()).toEqual({ kind: 'Healthy' });
});

test('transactions that the node has forgotten are sent again unchanged in the order of nonces, and a lane that moves is healthy', async () => {
  const all = [await sent(), await sent(), await sent()];
  const [first, , third] = all;
  steps.chain.forget(third?.txHash ?? '');
  steps.chain.forget(first?.txHash ?? '');
  const before = steps.chain.sent.slice(0, 3);
  const seen = await look();
  expect(steps.chain.sent.slice(3)).toEqual([before[0], before[2]]);
  expect(await standing()).toMatchObject({ kind: 'Watched', trouble: null });
  steps.chain.mine([first?.txHash ?? '']);
  steps.node.chainCount = 1;
  expect(await look(memoryOf(seen))).toEqual({ kind: 'Healthy' });
  expect(await made()).toEqual([]);
});

test('only the last of competing transactions is sent again', async () => {
  const { id } = await sent();
  const faster = await steps.transfer({ form: 'Transaction', replacementKind: 'SpeedUp', replacesId: id, claimsOf: id });
  const txHash = await steps.send(faster);
  steps.chain.forget(txHash);
  steps.chain.forget((await steps.row(id)).txHash ?? '');
  await look();
  expect(steps.chain.sent).toHaveLength(3);
  expect(steps.chain.sent[2]).toBe(steps.chain.sent[1]);
});

test('the nonce of a failed request is filled once, by a transfer of zero to the sender; later transfers show why they wait', async () => {
  await sent();
  const hole = await steps.transfer();
  await steps.prepare(hole);
  const behind = await sent();
  await database.db.withOrg(steps.orgId, (tx) => failTransfer(tx, hole, ['Signing'], 'Aborted'));
  steps.node.chainCount = 1;

  const first = await look();
  expect(first).toMatchObject({ kind: 'Watched', trouble: null, acted: false });
  steps.chain.mine([], { empty: 2 });
  // The check runs twice at once, as Temporal may repeat an activity that has not reported its end.
  const second = await Promise.all([look(memoryOf(first)), look(memoryOf(first))]);
  expect(second.map((one) => one.kind === 'Watched' && [one.trouble, one.acted])).toEqual(
    expect.arrayContaining([
      ['NonceMissing', true],
      ['NonceMissing', false],
    ]),
  );
  const [fill, ...more] = await made();
  expect(more).toEqual([]);
  expect(fill).toMatchObject({
    replacementKind: 'Cancel',
    replacesId: hole,
    claimsOf: null,
    askedNonce: 1,
    toAddress: steps.address,
    amountUnits: '0',
    requesterUserId: steps.userId,
  });
  expect(transactionView(fill as OutgoingEntity).details).toEqual({ madeByService: true });
  expect(transactionView(await steps.row(behind.id))).not.toHaveProperty('details');
  expect(await explained(behind.id)).toMatchObject({
    stage: 'LaneBlocked',
    summary: 'The transfer was sent and cannot get into a block: no transaction of the wallet has the next nonce.',
  });
  const { id } = fill as OutgoingEntity;
  expect((await explained(id)).sentences).toContainEqual(expect.stringMatching(/^The service made it for /));

  await steps.approve(id);
  await steps.send(id);
  expect(await steps.payload(id)).toMatchObject({ nonce: 1 });
  expect(await look()).toMatchObject({ kind: 'Watched', trouble: null });
  expect(await explained(behind.id)).toMatchObject({ stage: 'Confirming' });
});

test('the nonce of a failed sponsored request is filled by the wallet of its sponsor', async () => {
  const feeSponsorId = newId('feeSponsor');
  const more = { name: null, walletId: steps.walletId, network: NETWORK, allowEndUser: false, userActionId: '' };
  await database.db.withOrg(steps.orgId, (tx) => feeSponsorStore.add(tx, { id: feeSponsorId, ...more }));
  await sent();
  const hole = await steps.transfer({ fromAddress: RECIPIENT, feeSponsorId, sponsorAddress: steps.address, state: 'Signing' });
  await database.db.withOrg(steps.orgId, async (tx) => {
    const built = { fromAddress: steps.address, nonce: 1, maxFeeUnits: '1', unsignedHex: '0x', digestHex: '0x' };
    const ids = { orgId: steps.orgId, id: newId('payload'), transferId: hole, network: NETWORK };
    await tx.insert(PayloadEntity, { ...ids, ...built, state: 'Built' });
    await laneStore.claim(tx, { id: hole, network: NETWORK }, nonceClaim(steps.address, 1));
  });
  await sent();
  await database.db.withOrg(steps.orgId, (tx) => failTransfer(tx, hole, ['Signing'], 'Aborted'));
  steps.node.chainCount = 1;
  await standing();
  const [fill] = await made();
  expect(fill).toMatchObject({ replacesId: hole, askedNonce: 1, fromAddress: steps.address, toAddress: steps.address });
  expect(fill).toMatchObject({ walletId: steps.walletId, feeSponsorId: null, sponsorAddress: null, amountUnits: '0' });
});

test('a sponsor’s transaction for a frozen wallet is neither sent again nor sped up; other transactions of the sponsor are sent', async () => {
  const wallet = await createTransferSteps(database.db, steps.orgId);
  const feeSponsorId = newId('feeSponsor');
  const more = { name: null, walletId: steps.walletId, network: NETWORK, allowEndUser: false, userActionId: '' };
  await database.db.withOrg(steps.orgId, (tx) => feeSponsorStore.add(tx, { id: feeSponsorId, ...more }));
  const paid = { feeSponsorId, sponsorAddress: steps.address, state: 'Broadcasted' } as const;
  const id = await wallet.transfer(paid);
  const payload = { id: newId('payload'), transferId: id, fromAddress: steps.address, nonce: 0, rawHex: '0xa0', txHash: '0xa0' };
  const built = { maxFeeUnits: '1', unsignedHex: '0x', digestHex: '0x', operationHash: '0x0b', state: 'Broadcasted' } as const;
  const freeze = {
    targetKind: 'Wallet',
    targetId: wallet.walletId,
    reason: 'wrong',
    createdBy: null,
    userActionId: null,
  } as const;
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.insert(PayloadEntity, { orgId: steps.orgId, network: NETWORK, ...payload, ...built });
    await laneStore.claim(tx, { id, network: NETWORK }, nonceClaim(steps.address, 0));
    await freezeRecordStore.add(tx, { id: newId('freeze'), ...freeze });
  });
  const behind = await sent();
  steps.chain.forget(behind.txHash);
  const before = steps.chain.sent.length;
  expect(await standing()).toMatchObject({ kind: 'Watched', trouble: 'NotSent', acted: false });
  expect(steps.chain.sent.slice(before)).toEqual([(await steps.payload(behind.id)).rawHex]);
  expect(await made()).toEqual([]);
});

test('the transfer that fills a nonce gap overtakes transfers that wait for funds, because the missing nonce itself locks these funds', async () => {
  const hole = await steps.transfer();
  await steps.prepare(hole);
  await sent();
  await database.db.withOrg(steps.orgId, (tx) => failTransfer(tx, hole, ['Signing'], 'Aborted'));
  // The balance covers only the open transfers. A further transfer waits until they are final, which the missing nonce prevents.
  steps.node.nativeUnits = ETHER + FEE_UNITS;
  const poor = await steps.transfer();
  expect(await steps.prepare(poor)).toBe('Waiting');
  await standing();
  const [fill] = await made();
  await steps.approve(fill?.id ?? '');
  expect(await steps.prepare(fill?.id ?? '')).toBe('Ready');
});

test('a transaction that pays less than the base fee is replaced with a higher fee that stays below the approved ceiling', async () => {
  const { id } = await sent();
  baseFeePerGas = 3n * GWEI;
  steps.node.fees = { gas: 21_000n, maxFeePerGas: 7n * GWEI, maxPriorityFeePerGas: GWEI };
  expect(await standing()).toMatchObject({ trouble: 'Underpriced', acted: true });
  const [faster] = await made();
  expect(faster).toMatchObject({
    replacementKind: 'SpeedUp',
    replacesId: id,
    claimsOf: id,
    amountUnits: (await steps.row(id)).amountUnits,
  });
  expect(await explained(id)).toMatchObject({ stage: 'LaneBlocked', hindrance: { detail: 'Underpriced' } });
  await steps.approve(faster?.id ?? '');
  await steps.send(faster?.id ?? '');
  expect(await look()).toMatchObject({ trouble: null });
  // No second speed-up follows at once, although the base fee now exceeds the fee of the first speed-up too.
  baseFeePerGas = 8n * GWEI;
  steps.node.fees = { gas: 21_000n, maxFeePerGas: 17n * GWEI, maxPriorityFeePerGas: GWEI };
  expect(await standing()).toMatchObject({ trouble: 'Underpriced', acted: false });
});

test('above the approved ceiling nothing is sent, and the lane reports this problem until the price falls again', async () => {
  const { id } = await sent();
  baseFeePerGas = 300n * GWEI;
  steps.node.fees = { gas: 21_000n, maxFeePerGas: 600n * GWEI, maxPriorityFeePerGas: GWEI };
  expect(await standing()).toMatchObject({ trouble: 'FeesAboveCeiling', acted: false });
  expect(await made()).toEqual([]);
  expect(await explained(id)).toMatchObject({ stage: 'LaneBlocked', hindrance: { detail: 'FeesAboveCeiling' } });
  baseFeePerGas = GWEI;
  expect(await standing()).toMatchObject({ trouble: null });
  expect(await explained(id)).toMatchObject({ stage: 'Confirming', hindrance: null });
});

test('where the operator has switched speed-ups off, the problem is only reported', async () => {
  await sent();
  overrideRecord(NETWORK, { speedsUpStuck: false });
  baseFeePerGas = 3n * GWEI;
  expect(await standing()).toMatchObject({ trouble: 'Underpriced', acted: false });
  expect(await made()).toEqual([]);
  expect(networkOf(NETWORK).speedsUpStuck).toBe(false);
});

test('the explanation of a transfer says that an earlier transfer of its lane was not sent', async () => {
  const slow = await steps.transfer();
  await steps.prepare(slow);
  const { id } = await sent();
  expect(await standing()).toMatchObject({ trouble: 'NotSent', acted: false });
  expect(await explained(id)).toMatchObject({ stage: 'LaneBlocked', hindrance: { detail: 'NotSent' } });
  const lane = { network: NETWORK, address: steps.address };
  expect(await laneCareStore.troubleOf(database.db.read(steps.orgId), lane, { nonce: 0, transferId: id })).toMatchObject({
    kind: 'NotSent',
    nonce: 0,
  });
  expect(await payloadStore.of(database.db.read(steps.orgId), slow)).toMatchObject({ nonce: 0, rawHex: null });
});
