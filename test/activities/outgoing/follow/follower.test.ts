import { createFollower, type Follower, type OnAlarm } from '../../../../activities/outgoing/follow/follower';
import { networkOf } from '../../../../chains/networks';
import type { Gateway, Receipt } from '../../../../chains/types';
import { AppError } from '../../../../domain/errors';
import { blockerStore } from '../../../../entities/outgoing/blocker.store';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { type OpenPayloads, openPayloadsOver } from '../../../../entities/outgoing/open-payloads';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createScriptedChain, type ScriptedChain } from '../../../support/scripted-chain';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const network = networkOf('EthereumSepolia');
/** Three confirmations are the block of the transaction and two blocks on top of it. */
const ON_TOP = network.confirmations - 1;
const BEHIND_RESEND_MS = 10_001;

let database: TestDatabase;
let openPayloads: OpenPayloads;
let steps: TransferSteps;
let chain: ScriptedChain;
let follower: Follower;
let orgIds: readonly string[];
let now: number;
let alarms: Parameters<OnAlarm>[];

beforeAll(async () => {
  database = await createTestDatabase();
  openPayloads = openPayloadsOver(database.relayUrl);
});
afterAll(async () => {
  await openPayloads?.close();
  await database?.close();
});
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  orgIds = [steps.orgId];
  chain = steps.chain;
  now = 1_000;
  alarms = [];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  follower = followerOf(chain.gateway);
});
afterEach(() => jest.restoreAllMocks());

/** A follower that sees only the transfers of this test. Earlier tests left transfers open on other chains. */
function followerOf(gateway: Gateway): Follower {
  const mine = async (name: typeof network.name) => (await openPayloads.of(name)).filter(({ orgId }) => orgIds.includes(orgId));
  const anywhere = async (name: typeof network.name) => (await mine(name)).length > 0;
  const finalBlocks: OpenPayloads['finalBlocks'] = async (...asked) =>
    (await openPayloads.finalBlocks(...asked)).filter(({ orgId }) => orgIds.includes(orgId));
  const anyFinal: OpenPayloads['anyFinal'] = async (...asked) => (await finalBlocks(...asked)).length > 0;
  const own = { ...openPayloads, of: mine, anywhere, finalBlocks, anyFinal };
  return createFollower({ db: database.db, gateway, network, openPayloads: own, onAlarm: (...alarm) => alarms.push(alarm) });
}

async function sent(): Promise<{ id: string; txHash: string }> {
  const id = await steps.transfer();
  return { id, txHash: await steps.send(id) };
}
const stateOf = async (id: string) => [(await steps.row(id)).state, (await steps.payload(id)).state];

test('while nothing is open, the follower does not ask the node', async () => {
  expect(await follower.step()).toBe(false);
  expect(chain.asked).toEqual([]);
});

test('a transaction is confirmed at the number of confirmations in the network record, and not earlier', async () => {
  const { id, txHash } = await sent();
  expect(await follower.step()).toBe(true);
  const height = chain.mine([txHash], { empty: ON_TOP - 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  expect(await steps.payload(id)).toMatchObject({ includedHeight: height, includedSuccess: true, feeUnits: '21000' });
  chain.mine();
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(await steps.row(id)).toMatchObject({ feeUnits: '21000', dateConfirmed: expect.any(Date), reason: null });
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
  expect(await steps.signals(id)).toEqual(['settled Confirmed']);
  expect(await steps.claims()).toEqual(['0 Consumed']);
  expect(await follower.step()).toBe(false);
});

test('a block that arrives before the broadcast is recorded still gives both events, in order', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  await steps.signTransfer(id);
  chain.mine([(await steps.row(id)).txHash ?? ''], { empty: ON_TOP });
  await follower.step();
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
  await steps.broadcast(id);
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(await steps.events(id)).toHaveLength(2);
});

test('a transfer whose transaction reverted ends as Failed with its fee, and its nonce stays used', async () => {
  const { id, txHash } = await sent();
  chain.mine([txHash], { empty: ON_TOP, failed: true });
  await follower.step();
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', feeUnits: '21000', dateConfirmed: null });
  expect((await steps.row(id)).reason).toMatch(/reverted/);
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.failed 5']);
  expect(await steps.signals(id)).toEqual(['settled Failed']);
  expect(await steps.claims()).toEqual(['0 Consumed']);
});

test('a block that disappears before finality makes its transaction open again, and a later block confirms the transaction', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  const height = chain.mine([txHash], { empty: 1 });
  await follower.step();
  chain.cut(height);
  chain.mine([], { empty: 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
  expect(await steps.payload(id)).toMatchObject({
    includedHeight: null,
    includedHash: null,
    includedSuccess: null,
    feeUnits: null,
  });
  chain.mine([txHash], { empty: ON_TOP });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
});

test('a transaction that a reorganisation moves to a later block counts its confirmations from there', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  const height = chain.mine([txHash], { empty: 1 });
  await follower.step();
  const before = await steps.payload(id);
  chain.cut(height);
  chain.mine();
  chain.mine([txHash], { empty: 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  const after = await steps.payload(id);
  expect(after.includedHeight).toBe(height + 1);
  expect(after.includedHash).not.toBe(before.includedHash);
  chain.mine();
  await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
});

test('a reorganisation to a shorter chain is noticed too', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  const height = chain.mine([txHash], { empty: 1 });
  await follower.step();
  chain.cut(height);
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
});

test('a longer chain that replaces the block is noticed in the next step, not only when the old block would have been final', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  const height = chain.mine([txHash]);
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
  chain.cut(height);
  chain.mine([], { empty: 1 });
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
});

test('the same bytes are sent again when the network has forgotten them, at most once in ten seconds', async () => {
  const { id, txHash } = await sent();
  now += BEHIND_RESEND_MS;
  await follower.step();
  expect(chain.sent).toHaveLength(1);
  chain.forget(txHash);
  now += BEHIND_RESEND_MS - 1_000;
  await follower.step();
  expect(chain.sent).toHaveLength(1);
  now += 1_000;
  await follower.step();
  chain.forget(txHash);
  await follower.step();
  expect(chain.sent).toEqual(Array(2).fill((await steps.payload(id)).rawHex));
});

test('the follower does not send signed bytes that were never sent: the workflow checks freezes first', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  await steps.signTransfer(id);
  await follower.step();
  now += BEHIND_RESEND_MS;
  await follower.step();
  expect(chain.sent).toEqual([]);
});

test('a block frees a place in the lane (the queue of the sender), and a transfer that waits for funds is woken when the block is final', async () => {
  const { id, txHash } = await sent();
  const turn = await steps.transfer({ waitingSince: new Date(1) });
  const funds = await steps.transfer({ waitingSince: new Date(2) });
  await database.db.withOrg(steps.orgId, (tx) =>
    blockerStore.note(tx, { table: 'transfers', id: funds }, { kind: 'LaneTurn', detail: 'Funds' }),
  );
  const row = await steps.row(turn);
  const unmined = (chainCount: number) =>
    database.db.withOrg(steps.orgId, async (tx) => {
      const view = await laneStore.view(tx, { network: 'EthereumSepolia', address: steps.address }, row, chainCount);
      return [view.open, view.unmined];
    });
  expect([await unmined(0), await unmined(1)]).toEqual([
    [1, 1],
    [1, 0],
  ]);
  await follower.step();
  chain.mine([txHash]);
  await follower.step();
  await follower.step();
  expect(await steps.signals(turn)).toEqual(['laneChanged']);
  chain.mine([], { empty: ON_TOP });
  await follower.step();
  expect((await steps.row(id)).state).toBe('Confirmed');
  expect([await steps.signals(turn), await steps.signals(funds)]).toEqual([['laneChanged'], ['laneChanged']]);
});

test('bytes that a node always refuses do not prevent other bytes from being sent again', async () => {
  const [bad, good] = [await sent(), await sent()];
  for (const { txHash } of [bad, good]) chain.forget(txHash);
  const { rawHex } = await steps.payload(good.id);
  chain.answer = (_raw, txHash) => {
    if (txHash === bad.txHash) throw new AppError('NetworkUnavailable', 'the pool is full for such a fee');
    return 'Accepted';
  };
  for (let round = 0; round < 2; round += 1) {
    now += BEHIND_RESEND_MS;
    await follower.step().catch(() => undefined);
  }
  expect(chain.sent.slice(2)).toContain(rawHex);
});

test.each(['head', 'block', 'receipts'] as const)(
  'a node that fails at %s delays the transactions of its blocks and loses none',
  async (name) => {
    const { id, txHash } = await sent();
    await follower.step();
    const height = chain.mine([txHash]);
    chain.down = name;
    for (let i = 0; i < 2; i += 1) await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    chain.down = undefined;
    chain.mine();
    await follower.step();
    expect(await steps.payload(id)).toMatchObject({ state: 'Included', includedHeight: height });
  },
);

test.each([
  [200, 200],
  [201, 1],
])(
  'after a gap of %i blocks, %i blocks are read, always including that of the transaction, and the transfer is settled',
  async (gap, read) => {
    const { id, txHash } = await sent();
    await follower.step();
    const before = chain.asked.filter((name) => name === 'block').length;
    chain.mine([txHash], { empty: gap - 1 });
    await follower.step();
    expect(chain.asked.filter((name) => name === 'block').length - before).toBe(read);
    expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  },
);

test('a new follower finds transactions that were mined while no follower ran', async () => {
  const { id, txHash } = await sent();
  chain.mine([txHash], { empty: 50 });
  await followerOf(chain.gateway).step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
});

test('two followers at once settle a transfer once', async () => {
  const { id, txHash } = await sent();
  chain.mine([txHash], { empty: ON_TOP });
  await Promise.all([followerOf(chain.gateway).step(), followerOf(chain.gateway).step()]);
  expect(await steps.row(id)).toMatchObject({ state: 'Confirmed', version: 5 });
  expect(await steps.events(id)).toHaveLength(2);
  expect(await steps.signals(id)).toHaveLength(1);
});

test('one look settles the transfers of every organisation', async () => {
  const other = await createTransferSteps(database.db, await database.createOrganization());
  orgIds = [steps.orgId, other.orgId];
  const foreign = await other.transfer();
  const mine = [await sent(), await sent()];
  chain.mine([...mine.map(({ txHash }) => txHash), await other.send(foreign)], { empty: ON_TOP });
  await follower.step();
  expect(await Promise.all(mine.map(({ id }) => stateOf(id)))).toEqual(Array(2).fill(['Confirmed', 'Final']));
  expect((await other.row(foreign)).state).toBe('Confirmed');
  expect(await other.events(foreign)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
});

test('a node on a different chain, which lacks the transaction, changes nothing', async () => {
  const { id } = await sent();
  const elsewhere = createScriptedChain();
  elsewhere.mine([], { empty: 10 });
  await followerOf(elsewhere.gateway).step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
});

test.each([
  ['OtherStatus', (receipt?: Receipt) => receipt && { ...receipt, success: !receipt.success }],
  ['OtherBlock', (receipt?: Receipt) => receipt && { ...receipt, blockHash: receipt.blockHash.replace(/.{4}$/, 'beef') }],
  ['Missing', () => undefined],
])('a receipt that is wrong for a while (%s) settles nothing, and the right one ends the transfer', async (_name, lie) => {
  const { id, txHash } = await sent();
  await follower.step();
  const height = chain.mine([txHash]);
  await follower.step();
  chain.lie = lie;
  chain.mine([], { empty: ON_TOP });
  for (let look = 0; look < 3; look += 1) {
    await follower.step().catch(() => undefined);
    expect((await steps.row(id)).state).toBe('Broadcasted');
    now += 9_000;
  }
  chain.lie = undefined;
  for (let look = 0; look < 2; look += 1) await follower.step();
  expect(await stateOf(id)).toEqual(['Confirmed', 'Final']);
  expect(await steps.payload(id)).toMatchObject({ includedHeight: height, includedSuccess: true });
  expect(await steps.events(id)).toEqual(['wallet.transfer.broadcasted 4', 'wallet.transfer.confirmed 5']);
});

test('a receipt that is missing when its block arrives is requested again in every step', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  chain.lie = () => undefined;
  chain.mine([txHash]);
  await follower.step();
  chain.mine();
  await follower.step();
  chain.lie = undefined;
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Included']);
});

test('a receipt is not believed if its block does not contain the transaction, however old the block is', async () => {
  const { id, txHash } = await sent();
  chain.forget(txHash);
  const height = chain.mine([], { empty: 10 });
  const { hash } = (await chain.gateway.block(height)) ?? { hash: '' };
  chain.lie = () => ({ height, blockHash: hash, success: true, feeUnits: 1n });
  await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  chain.lie = undefined;
  now += BEHIND_RESEND_MS;
  await follower.step();
  expect(await stateOf(id)).toEqual(['Broadcasted', 'Broadcasted']);
  expect(chain.sent).toHaveLength(2);
});

test('a receipt that contradicts the recorded one is believed after the node has repeated it for half a minute', async () => {
  const { id, txHash } = await sent();
  await follower.step();
  chain.mine([txHash]);
  await follower.step();
  chain.lie = (receipt) => receipt && { ...receipt, success: false };
  chain.mine([], { empty: ON_TOP });
  await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  now += 29_999;
  await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  now += 1;
  await follower.step().catch(() => undefined);
  await follower.step();
  expect(await stateOf(id)).toEqual(['Failed', 'Final']);
});

test('a receipt that is final when first seen is requested twice, and the two answers must agree', async () => {
  const { id, txHash } = await sent();
  chain.mine([txHash], { empty: ON_TOP });
  let told = 0;
  chain.lie = (receipt) => receipt && { ...receipt, success: told++ > 0 };
  await expect(follower.step()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect((await steps.row(id)).state).toBe('Broadcasted');
  await follower.step();
  expect((await steps.row(id)).state).toBe('Confirmed');
});
