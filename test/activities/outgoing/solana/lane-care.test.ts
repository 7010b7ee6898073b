import { createLaneActivities } from '../../../../activities/outgoing/lanes/lanes';
import { explainTransfer } from '../../../../application/explain/records';
import { putFreeze } from '../../../../application/freezes/put-freeze';
import { solanaCodecOf } from '../../../../chains/codecs';
import { LaneEntity } from '../../../../entities/outgoing/lane.entity';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { newId } from '../../../../platform/ids';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createSolanaSteps, SOL, type SolanaSteps } from '../../../support/solana-steps';

let database: TestDatabase;
let bank: TestBank;
let steps: SolanaSteps;
let look: (address?: string) => ReturnType<ReturnType<typeof createLaneActivities>['careForLane']>;
let sends: string[];
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
});
afterAll(() => Promise.all([database?.close(), bank?.close()]));
beforeEach(async () => {
  steps = await createSolanaSteps(database.db, await database.createOrganization(), bank);
  const { orgId, wallet, reader, gateway } = steps;
  sends = [];
  const counted: typeof gateway = {
    ...gateway,
    broadcast: (rawHex, txHash) => {
      sends.push(txHash);
      return gateway.broadcast(rawHex, txHash);
    },
  };
  const { careForLane } = createLaneActivities({ db: database.db, readers: () => reader, gateways: () => counted });
  look = (address = wallet.address) => careForLane({ orgId, network: 'SolanaDevnet', address });
  bank.call('requestAirdrop', steps.sponsor.address, Number(SOL));
  await steps.makeNonces(2);
  await steps.drop(true);
});
afterEach(() => steps.drop(false));

const stuck = async (set: Partial<OutgoingEntity> = {}) => {
  const id = await steps.transfer({ options: { useDurableNonce: true }, ...set });
  return { id, txHash: await steps.send(id) };
};
const grow = () => bank.call('strongroom_advanceSlots', 160);
const made = () => database.db.read(steps.orgId).rows(OutgoingEntity, 'WHERE t.made_by_service ORDER BY t.id');
const explained = async (id: string) => explainTransfer(database.db.read(steps.orgId), await steps.row(id));
/** The stored problem of the lane, the queue of one sender. The gauge of blocked lanes counts these rows. */
const noted = async (address: string) =>
  (await database.db.read(steps.orgId).row(LaneEntity, 'WHERE t.address = $1', [address]))?.trouble ?? null;

test('a dropped young transaction is sent again without a report; a lane is healthy when its transaction is in a block', async () => {
  expect(await look()).toEqual({ kind: 'Healthy' });
  const { id, txHash } = await stuck();
  expect(await look()).toMatchObject({ kind: 'Watched', trouble: null, acted: false });
  await steps.drop(false);
  await look();
  expect(sends).toEqual([txHash, txHash]);
  bank.call('strongroom_advanceSlots', 4);
  expect(await look()).toMatchObject({ trouble: null });
  expect(sends).toHaveLength(2);
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id }, { state: 'Confirmed' }));
  expect(await look()).toEqual({ kind: 'Healthy' });
});

test('a stuck transaction in its sponsor’s lane is explained and counted as a problem, and the sponsor pays one speed-up', async () => {
  const [first, young] = [await stuck(steps.bySponsor), await stuck()];
  grow();
  const seen = await Promise.all([look(steps.sponsor.address), look(steps.sponsor.address)]);
  expect(seen.map((one) => one.kind === 'Watched' && [one.trouble, one.acted])).toEqual(
    expect.arrayContaining([
      ['Underpriced', true],
      ['Underpriced', false],
    ]),
  );
  const [faster, ...more] = await made();
  expect(more).toEqual([]);
  expect(faster).toMatchObject({ replacementKind: 'SpeedUp', replacesId: first.id, ...steps.bySponsor });
  expect(await noted(steps.sponsor.address)).toMatchObject({ kind: 'Underpriced', nonce: null, transferId: first.id });
  expect(await explained(first.id)).toMatchObject({ stage: 'LaneBlocked' });
  expect((await explained(first.id)).summary).toContain('sent again with a higher fee');
  expect(await explained(young.id)).toMatchObject({ stage: 'Confirming' });

  await steps.approve(faster?.id ?? '');
  await steps.send(faster?.id ?? '');
  expect(await look(steps.sponsor.address)).toMatchObject({ trouble: null });
  expect(await noted(steps.sponsor.address)).toBeNull();
});

test.each([
  ['of the wallet', () => ({})],
  ['that a sponsor pays for', () => steps.bySponsor],
])('no speed-up above the fee ceiling is made for a transfer %s, and the lane reports the problem', async (_, more) => {
  const { id } = await stuck(more());
  // The least increase, one eighth, is less than one lamport here. So the ceiling is set one lamport below the fee already built.
  const feeCeilingUnits = String(BigInt((await steps.payload(id)).maxFeeUnits) - 1n);
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id }, { feeCeilingUnits }));
  grow();
  expect(await look((await steps.row(id)).laneAddress)).toMatchObject({ trouble: 'FeesAboveCeiling', acted: false });
  expect(await made()).toEqual([]);
  expect(await explained(id)).toMatchObject({ stage: 'LaneBlocked' });
});

test('a transaction that nodes refuse is not sped up, because it would fail with any fee', async () => {
  const { id } = await stuck({ amountUnits: '900000000' });
  await steps.drop(false);
  const { bytesHex } = solanaCodecOf('SolanaDevnet').build(
    {
      network: 'SolanaDevnet',
      from: steps.wallet.address,
      to: steps.recipient,
      amountUnits: 500_000_000n,
      asset: { kind: 'Native' },
    },
    { lifetime: await steps.blockhash(), computeUnitLimit: 10_000, microLamportsPerUnit: 0n },
  );
  await steps.sendBehindOurBack(bytesHex);
  grow();
  expect(await look()).toMatchObject({ trouble: 'WouldFail', acted: false });
  expect(await made()).toEqual([]);
  expect((await explained(id)).summary).toContain('it would fail at present');
});

test('nothing is sent for a frozen wallet, not even in the lane of its sponsor', async () => {
  await stuck(steps.bySponsor);
  grow();
  sends.length = 0;
  const freeze = { targetKind: 'Wallet' as const, targetId: steps.walletId, reason: 'r', createdBy: null, userActionId: null };
  await database.db.withOrg(steps.orgId, (tx) => putFreeze(tx, { id: newId('freeze'), ...freeze }));
  expect(await look(steps.sponsor.address)).toMatchObject({ kind: 'Watched', trouble: null, acted: false });
  expect([sends, await made()]).toEqual([[], []]);
});
