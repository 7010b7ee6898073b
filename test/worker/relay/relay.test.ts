import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import type { Deliverer } from '../../../application/webhooks/delivery';
import type { OutboxKind } from '../../../domain/outbox';
import { eventStore } from '../../../entities/events/event.store';
import { type Dispatch, outboxStore } from '../../../entities/outbox/outbox.store';
import { newId } from '../../../platform/ids';
import type { Relay } from '../../../worker/relay/relay';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertWebhook, localDeliverer, nothingCarried, outboxRows, testRelay } from '../../support/relay';
import { asSuperuser } from '../../support/roles';
import { waitUntil } from '../../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../../support/webhook-sink';

let database: TestDatabase;
let orgId: string;
let sink: WebhookSink;
const relays: Relay[] = [];

beforeEach(async () => {
  [database, sink] = await Promise.all([createTestDatabase(), startWebhookSink()]);
  orgId = await database.createOrganization();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  await Promise.all([database.close(), sink.close()]);
});

function startRelay(options: Parameters<typeof testRelay>[1]): Relay {
  const relay = testRelay(database, options);
  relays.push(relay);
  relay.start();
  return relay;
}

const row = (kind: OutboxKind, aggregateId: string, dedupeKey: string): Dispatch => ({
  kind,
  aggregateId,
  dedupeKey,
  routing: {},
});
const add = (...rows: readonly Dispatch[]) =>
  database.db.withOrg(orgId, async (tx) => {
    for (const each of rows) await outboxStore.add(tx, each);
  });
const emit = (aggregateId: string, aggregateVersion: number) =>
  database.db.withOrg(orgId, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId, aggregateVersion, data: { wallet: { id: aggregateId } } }),
  );
const allRelayed = () =>
  waitUntil('every row to be relayed', async () => (await outboxRows(database)).every(({ relayed }) => relayed));

test('rows of one record are carried out once each and in order, with many records under two relays at once', async () => {
  const records = Array.from({ length: 40 }, () => newId('transfer'));
  const carried = nothingCarried();
  startRelay({ holderId: 'one', carried, leaseTtlMs: 5_000 });
  startRelay({ holderId: 'two', carried, leaseTtlMs: 5_000 });
  for (let round = 0; round < 25; round += 1) {
    await add(...records.map((id) => row(round === 0 ? 'start' : 'signal', id, `${id}:${String(round).padStart(2, '0')}`)));
  }
  await allRelayed();
  expect(carried.rows).toHaveLength(1_000);
  for (const id of records) {
    const keys = carried.rows.filter(({ aggregateId }) => aggregateId === id).map(({ dedupeKey }) => dedupeKey);
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(25);
  }
});

test('two relays share the shards evenly, and the one that stays takes them all', async () => {
  const carried = nothingCarried();
  const holders = () =>
    asSuperuser(
      async (client) =>
        (
          await client.query(
            `SELECT holder, count(*)::integer AS shards FROM outbox_leases
             WHERE shard >= 0 AND date_expires > clock_timestamp() GROUP BY holder ORDER BY holder`,
          )
        ).rows as { holder: string; shards: number }[],
      database.name,
    );
  startRelay({ holderId: 'one', carried, leaseTtlMs: 600 });
  await waitUntil('one relay to hold all shards', async () => (await holders())[0]?.shards === 64);
  const second = startRelay({ holderId: 'two', carried, leaseTtlMs: 600 });
  await waitUntil('two relays to share the shards', async () => (await holders()).map(({ shards }) => shards).join() === '32,32');
  relays.splice(relays.indexOf(second), 1);
  await second.stop();
  await waitUntil(
    'the one that stays to hold all shards',
    async () => (await holders()).map(({ holder, shards }) => `${holder}:${shards}`).join() === 'one:64',
  );
});

test('the shards of a relay that died are taken over when its leases lapse', async () => {
  await asSuperuser(
    (client) =>
      client.query(
        `INSERT INTO outbox_leases SELECT n, 'dead', clock_timestamp() + interval '700 milliseconds' FROM generate_series(-1, 63) AS n`,
      ),
    database.name,
  );
  const carried = nothingCarried();
  const record = newId('transfer');
  await add(row('start', record, 'a'));
  startRelay({ holderId: 'heir', carried, leaseTtlMs: 300 });
  await allRelayed();
  expect(carried.rows.map(({ by }) => by)).toEqual(['heir']);
  const [dead] = await asSuperuser(
    async (client) =>
      (await client.query(`SELECT count(*)::integer AS left FROM outbox_leases WHERE holder = 'dead' AND shard >= 0`)).rows,
    database.name,
  );
  expect(dead.left).toBe(0);
});

test('a row that fails holds back only the later rows of its record, and is counted and not dropped', async () => {
  const carried = nothingCarried();
  carried.fail = ({ dedupeKey }) => dedupeKey === 'bad:1';
  await add(row('start', 'bad', 'bad:1'), row('signal', 'bad', 'bad:2'), row('start', 'good', 'good:1'));
  startRelay({ holderId: 'one', carried });
  await waitUntil('three attempts at the failing row', async () => (await outboxRows(database))[0]?.attempts === 3);
  await add(row('signal', 'bad', 'bad:3'), row('signal', 'good', 'good:2'));
  await waitUntil('the rows of the other record', () => carried.rows.length === 2);
  expect(carried.rows.map(({ dedupeKey }) => dedupeKey)).toEqual(['good:1', 'good:2']);
  carried.fail = () => false;
  await allRelayed();
  expect(carried.rows.map(({ dedupeKey }) => dedupeKey)).toEqual(['good:1', 'good:2', 'bad:1', 'bad:2', 'bad:3']);
});

test('a silent receiver delays neither the wake-up, nor a signal of the same record, nor events of another record', async () => {
  await insertWebhook(database, orgId, sink.url);
  const unanswered: ServerResponse[] = [];
  sink.behave((response) => unanswered.push(response));
  const listener = new Client({ connectionString: database.appUrl });
  await listener.connect();
  await listener.query('LISTEN strongroom_changes');
  const woken: string[] = [];
  listener.on('notification', ({ payload }) => woken.push(payload ?? ''));

  const carried = nothingCarried();
  startRelay({ holderId: 'one', carried, deliverer: localDeliverer(database, 60_000) });
  await emit('slow', 1);
  await sink.received(1);
  await emit('slow', 2);
  await add(row('signal', 'slow', 'signal'));
  const other = await database.createOrganization();
  const otherSink = await startWebhookSink();
  await insertWebhook(database, other, otherSink.url);
  await database.db.withOrg(other, (tx) =>
    eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'other', aggregateVersion: 1, data: {} }),
  );
  await otherSink.received(1);
  await waitUntil(
    'the signal and the wake-ups',
    () => carried.rows.length === 1 && woken.filter((id) => id === 'slow').length >= 2,
  );
  const openKinds = async () => (await outboxRows(database)).filter(({ relayed }) => !relayed).map(({ kind }) => kind);
  await waitUntil('all but the slow deliveries to be over', async () => (await openKinds()).length === 2);
  expect(await openKinds()).toEqual(['event', 'event']);
  sink.behave(200);
  for (const response of unanswered) response.end();
  await Promise.all([otherSink.close(), listener.end()]);
});

test('events of one record arrive in order', async () => {
  await insertWebhook(database, orgId, sink.url);
  for (let version = 1; version <= 10; version += 1) await emit('wallet', version);
  startRelay({ holderId: 'one', carried: nothingCarried() });
  const deliveries = await sink.received(10);
  expect(deliveries.map(({ envelope }) => envelope.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a delivery that cannot be recorded does not block the start of a workflow, and is made when the database is back', async () => {
  let broken = true;
  const delivered: string[] = [];
  const deliverer: Deliverer = {
    deliver: async (_orgId, eventId) => {
      if (broken) throw new Error('the database is away');
      delivered.push(eventId);
    },
    retry: () => Promise.reject(new Error('unused')),
    ping: () => Promise.reject(new Error('unused')),
  };
  const carried = nothingCarried();
  const eventId = await emit('wallet', 1);
  await add(row('start', 'wallet', 'start'));
  startRelay({ holderId: 'one', carried, deliverer });
  await waitUntil(
    'two attempts at the delivery',
    async () => carried.rows.length === 1 && (await outboxRows(database))[0]?.attempts === 2,
  );
  broken = false;
  await allRelayed();
  expect(delivered).toEqual([eventId]);
});

test('the relay role sees ids and routing of every organisation and nothing else', async () => {
  const relay = new Client({ connectionString: database.relayUrl });
  await relay.connect();
  await add(row('start', 'record', 'key'));
  expect((await relay.query('SELECT id FROM outbox')).rows).toHaveLength(1);
  for (const table of ['events', 'webhooks', 'users', 'keys']) {
    await expect(relay.query(`SELECT 1 FROM ${table}`)).rejects.toThrow(`permission denied for table ${table}`);
  }
  await expect(relay.query(`UPDATE outbox SET routing = '{}'`)).rejects.toThrow('permission denied');
  await relay.end();
});

test('a relay that stops gives its shards back at once', async () => {
  const carried = nothingCarried();
  const first = startRelay({ holderId: 'one', carried, leaseTtlMs: 60_000 });
  await add(row('start', 'a', 'a'));
  await waitUntil('the row under the first relay', () => carried.rows.length === 1);
  relays.splice(0);
  await first.stop();
  startRelay({ holderId: 'two', carried, leaseTtlMs: 60_000 });
  await add(row('signal', 'a', 'b'));
  await waitUntil('the row under the second relay', () => carried.rows.length === 2);
  expect(carried.rows.map(({ by }) => by)).toEqual(['one', 'two']);
});
