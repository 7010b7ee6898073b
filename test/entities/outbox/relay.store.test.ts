import { OUTBOX_SHARDS, shardOf } from '../../../domain/outbox';
import { openRelayStore, type RelayStore } from '../../../entities/outbox/relay.store';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser } from '../../support/roles';

const HOLDER = 'relay';
const LEASE_MS = 600_000;
const BACKLOG = 5_000;
const ONE_SHARD = 7;

let database: TestDatabase;
let store: RelayStore;

beforeEach(async () => {
  database = await createTestDatabase();
  store = openRelayStore(database.relayUrl);
  expect(await store.claim(HOLDER, LEASE_MS, 'shards', OUTBOX_SHARDS)).toHaveLength(OUTBOX_SHARDS);
});
afterEach(async () => {
  await store.close();
  await database.close();
});

type Backlog = { readonly count: number; readonly shard?: number; readonly isDue?: boolean };

/** Rows of an organisation that wait for the relay, spread over the shards unless a shard is given. */
async function backlog(orgId: string, { count, shard, isDue = true }: Backlog): Promise<void> {
  await asSuperuser(
    (client) =>
      client.query(
        `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing, date_due)
         SELECT $1, $1 || n, coalesce($3, n % $4), 'start', $1 || n, $1 || n, '{}', clock_timestamp() + $5::interval
         FROM generate_series(1, $2::integer) n`,
        [orgId, count, shard ?? null, OUTBOX_SHARDS, isDue ? '0' : '1 hour'],
      ),
    database.name,
  );
}
const organizations = (count: number) => Promise.all(Array.from({ length: count }, () => database.createOrganization()));
const orgsOf = (rows: readonly { readonly orgId: string }[]) => rows.map(({ orgId }) => orgId);

test('the first request of one organisation comes before the second request of another organisation that has thousands waiting', async () => {
  const [busy, quiet, third] = await organizations(3);
  await backlog(busy ?? '', { count: BACKLOG });
  await backlog(quiet ?? '', { count: 1 });
  await backlog(third ?? '', { count: 2 });
  const { rows } = await store.take(HOLDER, 'work', [], 200);
  expect(rows).toHaveLength(200);
  expect(orgsOf(rows).slice(0, 5)).toEqual([busy, quiet, third, busy, third]);
});

test('rows of one record are taken in the order in which they were written, even though organisations take turns', async () => {
  const [orgId = ''] = await organizations(1);
  await backlog(orgId, { count: 500 });
  const aggregateId = newId('transfer');
  for (const dedupeKey of ['first', 'second', 'third']) {
    await asSuperuser(
      (client) =>
        client.query(
          `INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing) VALUES ($1, $2, $3, 'signal', $4, $5, '{}')`,
          [orgId, newId('outbox'), shardOf(aggregateId), aggregateId, dedupeKey],
        ),
      database.name,
    );
  }
  const { rows } = await store.take(HOLDER, 'work', [], 1_000);
  expect(rows.filter((row) => row.aggregateId === aggregateId).map(({ dedupeKey }) => dedupeKey)).toEqual([
    'first',
    'second',
    'third',
  ]);
});

test('with more organisations in a shard than one poll sees, the next poll continues after the last one, and then starts over', async () => {
  const orgIds = (await organizations(40)).sort();
  for (const orgId of orgIds) await backlog(orgId, { count: 1, shard: ONE_SHARD });
  const first = await store.take(HOLDER, 'work', [], 1_000);
  const second = await store.take(HOLDER, 'work', [], 1_000, first.after);
  expect(new Set([...orgsOf(first.rows), ...orgsOf(second.rows)])).toEqual(new Set(orgIds));
  expect(first.rows.length).toBeLessThan(orgIds.length);
  expect(second.after).toBe('');
});

test('organisations whose rows all wait for a later attempt do not hide the organisations after them', async () => {
  const orgIds = (await organizations(40)).sort();
  for (const [index, orgId] of orgIds.entries()) await backlog(orgId, { count: 1, shard: ONE_SHARD, isDue: index >= 36 });
  const first = await store.take(HOLDER, 'work', [], 1_000);
  expect(first.rows).toEqual([]);
  const second = await store.take(HOLDER, 'work', [], 1_000, first.after);
  expect(orgsOf(second.rows).sort()).toEqual(orgIds.slice(36));
});
