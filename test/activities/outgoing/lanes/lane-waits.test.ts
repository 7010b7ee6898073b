import { wakeLane } from '../../../../application/outgoing/lanes/wake-lanes';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { insertPolicy } from '../../../support/held-activity';
import { askFor, BLOCK } from '../../../support/policies';
import { asSuperuser } from '../../../support/roles';
import { createTransferSteps, ETHER, type TransferSteps } from '../../../support/transfer-steps';
import { waitUntil } from '../../../support/wait-until';
import { writtenColumns } from '../../../support/written-columns';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const lane = () => ({ network: 'EthereumSepolia' as const, address: steps.address });

/** The number of backends of this database that wait for a lock. */
const blocked = () =>
  asSuperuser(async (client) => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
    return (await client.query(sql, [database.name])).rowCount ?? 0;
  });

test('a transfer is woken when a place becomes free just before the transfer starts to wait', async () => {
  const waiting = await steps.transfer();
  let [noted, goOn] = [() => {}, () => {}];
  const isNoted = new Promise<void>((resolve) => {
    noted = resolve;
  });
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const begins = database.db.withOrg(steps.orgId, async (tx) => {
    await laneStore.lock(tx, lane());
    await tx.update(OutgoingEntity, { id: waiting }, { waitingSince: await tx.clock() });
    noted();
    await mayGoOn;
  });
  await isNoted;
  let isOver = false;
  const wakes = database.db
    .withOrg(steps.orgId, (tx) => wakeLane(tx, lane(), 1))
    .finally(() => {
      isOver = true;
    });
  await waitUntil('the wake-up to wait its turn or to be over', async () => isOver || (await blocked()) > 0);
  goOn();
  await Promise.all([begins, wakes]);
  expect(await steps.signals(waiting)).toEqual(['laneChanged']);
});

test.each([
  ['held again', askFor([{ quorum: 1, approvers: {} }])],
  ['blocked', BLOCK],
] as const)(
  'a transfer that is %s after its wake-up gives its place in the lane (the queue of the sender) to the next transfer',
  async (_how, action) => {
    const [first, second] = [await steps.transfer(), await steps.transfer()];
    await database.db.withOrg(steps.orgId, async (tx) => {
      for (const id of [first, second]) await tx.update(OutgoingEntity, { id }, { waitingSince: await tx.clock() });
    });
    await insertPolicy(database.db, steps.orgId, { action });
    await steps.evaluate(first);
    expect(await steps.signals(second)).toEqual(['laneChanged']);
  },
);

test('funds of a transaction that a lagging node has not seen are not spent a second time', async () => {
  Object.assign(steps.node, { nativeUnits: (3n * ETHER) / 2n, chainCount: 0 });
  const first = await steps.transfer();
  await steps.send(first);
  await database.db.withOrg(steps.orgId, (tx) => laneStore.consume(tx, first));

  const second = await steps.transfer();
  expect(await steps.prepare(second)).toBe('Waiting');
  Object.assign(steps.node, { nativeUnits: 3n * ETHER, chainCount: 1 });
  expect(await steps.prepare(second)).toBe('Ready');
  expect(await steps.claims()).toEqual(['0 Consumed', '1 Signing']);
});

test('a claim reads only the nonces in flight, not every nonce that the sender ever used', async () => {
  const used = 2_000;
  const first = await steps.transfer();
  await steps.send(first);
  await database.db.withOrg(steps.orgId, async (tx) => {
    await laneStore.consume(tx, first);
    const columns = (await writtenColumns(tx, 'transfers'))
      .filter((name) => name !== 'id' && name !== 'user_action_id')
      .join(', ');
    const past = `generate_series(1, ${used - 1}) AS n`;
    await tx.query(`INSERT INTO transfers (id, ${columns}) SELECT 'tr-' || n, ${columns} FROM transfers, ${past}`);
    await tx.query(
      `INSERT INTO payloads (org_id, id, transfer_id, network, from_address, nonce, unsigned_hex, digest_hex, max_fee_units, state)
       SELECT org_id, 'pl-' || n, 'tr-' || n, network, from_address, n, '', '', 0, 'Final' FROM payloads, ${past}`,
    );
    await tx.query(
      `INSERT INTO claims (org_id, id, network, kind, key, lane, value, transfer_id, state)
       SELECT org_id, 'cl-' || n, network, kind, lane || ':' || n, lane, n, 'tr-' || n, 'Consumed' FROM claims, ${past}`,
    );
  });
  await asSuperuser((client) => client.query('ANALYZE'), database.name);
  const row = await steps.row(await steps.transfer());
  const read = await database.db.withOrg(steps.orgId, async (tx) => {
    expect((await laneStore.view(tx, lane(), row, used)).open).toBe(0);
    const [seen] = await tx.query<{ rows: number }>(
      `SELECT (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables WHERE relname = 'claims'`,
    );
    return seen?.rows;
  });
  expect(read).toBeLessThan(50);
});
