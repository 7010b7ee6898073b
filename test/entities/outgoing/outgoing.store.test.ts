import { TRANSFER_MOVES, TRANSFER_STATES } from '../../../domain/transfers';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
  steps = await createTransferSteps(database.db, await database.createOrganization());
});
afterAll(() => database?.close());

const PAIRS = TRANSFER_STATES.flatMap((from) => TRANSFER_STATES.map((to) => [from, to] as const));

test.each(PAIRS)('a row goes from %s to %s only if that is a legal move, and its version rises by one', async (from, to) => {
  const id = await steps.transfer({ state: from });
  const moving = database.db.withOrg(steps.orgId, async (tx) =>
    outgoingStore.move(tx, await outgoingStore.lock(tx, id), to, { reason: 'because' }),
  );
  if (TRANSFER_MOVES[from].includes(to)) {
    expect(await moving).toMatchObject({ state: to, version: 2, reason: 'because' });
    expect(await moving).toEqual(await steps.row(id));
  } else {
    await expect(moving).rejects.toMatchObject({ code: 'WrongState' });
    expect(await steps.row(id)).toMatchObject({ state: from, version: 1, reason: null });
  }
});

test('a transaction that locks a row waits for the holder of the lock and then sees the holder’s change', async () => {
  const id = await steps.transfer();
  const move = () =>
    database.db.withOrg(steps.orgId, async (tx) => outgoingStore.move(tx, await outgoingStore.lock(tx, id), 'Signing'));
  const results = await Promise.allSettled(Array.from({ length: 6 }, move));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', version: 2 });
});

test('a second approval of an approved transfer stores the new verdict and does not change the state', async () => {
  const id = await steps.transfer();
  const datePolicyResolved = new Date('2030-01-01T00:00:00Z');
  await database.db.withOrg(steps.orgId, async (tx) =>
    outgoingStore.approve(tx, await outgoingStore.lock(tx, id), { verdictId: 'vd-2', policyEpoch: 9, datePolicyResolved }),
  );
  expect(await steps.row(id)).toMatchObject({
    state: 'Approved',
    version: 1,
    verdictId: 'vd-2',
    policyEpoch: 9,
    datePolicyResolved,
  });
});

test('a transfer of another organisation is not found', async () => {
  const id = await steps.transfer();
  const other = await database.createOrganization();
  await expect(database.db.withOrg(other, (tx) => outgoingStore.lock(tx, id))).rejects.toMatchObject({ code: 'NotFound' });
  expect(await outgoingStore.find(database.db.read(other), id)).toBeUndefined();
});

test('a page lists the newest transfer first, begins after the given one and contains one wallet only', async () => {
  const mine = await createTransferSteps(database.db, steps.orgId);
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.unshift(await mine.transfer());
  const page = async (after: string | undefined, limit: number) =>
    (await outgoingStore.page(database.db.read(steps.orgId), { walletId: mine.walletId, form: 'Transfer', after }, limit)).map(
      ({ id }) => id,
    );
  expect(await page(undefined, 10)).toEqual(ids);
  expect(await page(ids[1], 2)).toEqual([ids[2], ids[3]]);
  expect(await page(ids[4], 2)).toEqual([]);
});

test('the greatest 256-bit amount is read back unchanged', async () => {
  const greatest = (2n ** 256n - 1n).toString();
  const id = await steps.transfer({ amountUnits: greatest });
  expect((await steps.row(id)).amountUnits).toBe(greatest);
  const [locked] = await database.db.withOrg(steps.orgId, (tx) => tx.rows(OutgoingEntity, 'WHERE t.id = $1', [id]));
  expect(locked?.amountUnits).toBe(greatest);
});
