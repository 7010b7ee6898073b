import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { writtenColumns } from '../../support/written-columns';

const OLD = new Date(Date.now() - 11 * 60_000);
const YOUNG = new Date(Date.now() - 9 * 60_000);
const OPEN = ['Requested', 'AwaitingApproval', 'Approved', 'Signing', 'Signed', 'Broadcasted'] as const;
const ENDED = { kind: 'Ended', how: 'TERMINATED', closeTime: OLD } as const;
const RUNNING = { kind: 'Running' } as const;

let housekeeping: Housekeeping;
let steps: TransferSteps;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  await housekeeping.upset('DELETE FROM transfers');
  housekeeping.asked.length = 0;
  housekeeping.lines();
  steps = await createTransferSteps(housekeeping.database.db, await housekeeping.database.createOrganization());
});

const open = (set: Partial<OutgoingEntity>) => steps.transfer({ dateRequested: OLD, ...set });

test.each(OPEN)(
  'a transfer in %s without a workflow is started again, and the start message states whether the transfer is prepared',
  async (state) => {
    const [unknown, terminated] = [await open({ state }), await open({ state })];
    housekeeping.standing.set(terminated, ENDED);
    expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 2, done: 2 });
    const prepared = ['Signing', 'Signed', 'Broadcasted'].includes(state) ? 'true' : undefined;
    const starts = await housekeeping.starts(steps.orgId);
    for (const id of [unknown, terminated]) {
      expect(starts[id]).toMatchObject({ workflow: 'transfer', network: 'EthereumSepolia', again: 'true' });
      expect(starts[id]?.['prepared']).toBe(prepared);
      expect(await steps.row(id)).toMatchObject({ state, version: 1 });
    }
    expect(housekeeping.lines()).toEqual(Array(2).fill('warn: an open transfer had no workflow: started again'));
  },
);

test('a transfer with a running workflow, a younger transfer and an ended transfer are left alone', async () => {
  const running = await open({ state: 'AwaitingApproval' });
  housekeeping.standing.set(running, RUNNING);
  await open({ state: 'AwaitingApproval', dateRequested: YOUNG });
  for (const state of ['Confirmed', 'Failed', 'Rejected'] as const) await open({ state });
  expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 1, done: 0 });
  expect(housekeeping.asked).toEqual([running]);
  expect(await housekeeping.starts(steps.orgId)).toEqual({});
  expect(housekeeping.lines()).toEqual([]);
});

test('after the release of a restored deployment, earlier transfers are checked at once, and later transfers only when they are old', async () => {
  await housekeeping.upset(`UPDATE deployment SET date_released = clock_timestamp() - interval '1 minute'`);
  try {
    const restored = await open({ state: 'Approved', dateRequested: new Date(Date.now() - 2 * 60_000) });
    await open({ state: 'Approved', dateRequested: new Date() });
    expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 1, done: 1 });
    expect(Object.keys(await housekeeping.starts(steps.orgId))).toEqual([restored]);
    await open({ state: 'Approved', dateRequested: new Date(Date.now() - 2 * 60_000) });
    await housekeeping.upset('UPDATE deployment SET date_frozen = clock_timestamp()');
    expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 0, done: 0 });
  } finally {
    await housekeeping.upset('UPDATE deployment SET date_frozen = NULL, date_released = NULL');
  }
});

test('a transfer with a start that still waits for the relay is not started twice', async () => {
  await open({});
  expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 1, done: 1 });
  expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 0, done: 0 });
});

/** Inserts copies of the row that have other ids and other user actions. */
async function copy(id: string, count: number): Promise<void> {
  const columns = await housekeeping.database.db.withOrg(steps.orgId, (tx) => writtenColumns(tx, 'transfers'));
  await housekeeping.upset(
    `INSERT INTO transfers (${columns.join(', ')}) SELECT ${columns.map((name) => `c.${name}`).join(', ')}
     FROM transfers t, generate_series(1, ${count}) AS n,
       LATERAL jsonb_populate_record(t, jsonb_build_object('id', t.id || '-' || n, 'user_action_id', t.user_action_id || '-' || n)) AS c WHERE t.id = $1`,
    [id],
  );
}

test('every open transfer of every organisation is checked exactly once, page by page', async () => {
  const other = await createTransferSteps(housekeeping.database.db, await housekeeping.database.createOrganization());
  for (const id of [await open({}), await other.transfer({ dateRequested: OLD })]) {
    await copy(id, 130);
  }
  expect(await housekeeping.keep('reconcile-transfers')).toEqual({ looked: 262, done: 262 });
  expect(new Set(housekeeping.asked).size).toBe(262);
  expect(Object.keys(await housekeeping.starts(other.orgId))).toHaveLength(131);
});

test('many held transfers are checked in turns, and a transfer with a decided approval is checked in every turn', async () => {
  const held = await open({ state: 'AwaitingApproval' });
  await copy(held, 29);
  const turn = async (tick: number, heldMax: number) => {
    const page = { after: undefined, olderThanMs: 0, rowsMax: 100, tick, heldMax };
    return (await housekeeping.store.openTransfers(page)).map(({ id }) => id);
  };
  expect(await turn(7, 30)).toHaveLength(30);
  const turns = await Promise.all([7, 8, 9].map((tick) => turn(tick, 29)));
  expect(turns[2]).toEqual(turns[0]);
  expect([...(turns[0] ?? []), ...(turns[1] ?? [])]).toHaveLength(30);
  expect(new Set(turns.flat()).size).toBe(30);
  await housekeeping.upset(
    `WITH decided AS (
       INSERT INTO approvals (org_id, id, activity_kind, activity_id, initiator_id, status, activity, digest, groups, evaluations, policy_epoch)
       SELECT org_id, 'ap-' || id, 'Wallets:Sign', id, 'us-1', 'Approved', '{}', '', '[]', '[]', 1 FROM transfers WHERE id = $1
       RETURNING id)
     UPDATE transfers SET approval_id = decided.id FROM decided WHERE transfers.id = $1`,
    [held],
  );
  for (const tick of [7, 8]) expect(await turn(tick, 29)).toContain(held);
});

test('a transfer that waits in a lane (the queue of its sender) with free places is woken, and a transfer in a full lane is not', async () => {
  const waiting = await open({ waitingSince: OLD });
  housekeeping.standing.set(waiting, RUNNING);
  await housekeeping.keep('reconcile-transfers');
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
  for (let nonce = 0; nonce < 16; nonce += 1) {
    const id = await open({ state: 'Signing', dateRequested: YOUNG });
    await housekeeping.upset(
      `INSERT INTO claims (org_id, id, network, kind, key, lane, value, transfer_id, state)
       VALUES ($1, $2, 'EthereumSepolia', 'nonce', $2, $3, $4, $2, 'Signing')`,
      [steps.orgId, id, steps.address, nonce],
    );
  }
  await housekeeping.keep('reconcile-transfers');
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
});

test('no transfer is started again while Temporal cannot be asked about its workflow', async () => {
  const id = await open({});
  const silent = await openHousekeeping({
    database: housekeeping.database,
    statusOf: () => Promise.reject(new Error('Temporal is away')),
  });
  await expect(silent.keep('reconcile-transfers')).rejects.toThrow('Temporal is away');
  await silent.close();
  expect(await housekeeping.starts(steps.orgId)).not.toHaveProperty(id);
});
