import { readFeed } from '../../../application/feed/feed';
import { createSequencer } from '../../../application/feed/sequencer';
import type { Database, Tx } from '../../../entities/database';
import { eventStore } from '../../../entities/events/event.store';
import type { ItemPlace } from '../../../entities/hash-chains/chain-store';
import { CHAIN_START, type FeedItem, followFeed } from '../../../platform/hash-chain';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';

let database: TestDatabase;
let db: Database;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
});

const emitIn = (tx: Tx, aggregateId: string, aggregateVersion = 1) =>
  eventStore.emit(tx, { kind: 'wallet.created', aggregateId, aggregateVersion, data: { price: 1.5e-7, text: 'Größe \u2028' } });
const emit = (aggregateId: string, version?: number) => db.withOrg(orgId, (tx) => emitIn(tx, aggregateId, version));
const feed = async () => (await readFeed(db.read(orgId), { after: CHAIN_START, limit: 500 })).items;
const idsOf = (items: readonly FeedItem[]) => items.map(({ event }) => event.id);

/** An event whose transaction has written the event and has not committed yet. */
async function lateEvent(aggregateId: string) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let committed: Promise<void> | undefined;
  const id = await new Promise<string>((written, failed) => {
    committed = db.withOrg(orgId, async (tx) => {
      const eventId = await emitIn(tx, aggregateId);
      await tx.query('SELECT 1'); // the row is written once this statement has returned
      written(eventId);
      await released;
    });
    committed.catch(failed);
  });
  return {
    id,
    commit: async () => {
      release();
      await committed;
    },
  };
}

test('each event gets the next place, once, and the chain can be verified', async () => {
  const sequencer = createSequencer(db);
  const ids = [await emit('wa-1'), await emit('wa-2'), await emit('wa-1', 2)];
  const places = await Promise.all(ids.map((id) => sequencer.placeOf(orgId, id)));
  expect(places.map((place) => place?.sequence)).toEqual([1, 2, 3]);
  const items = await feed();
  expect(idsOf(items)).toEqual(ids);
  expect(items[2]).toMatchObject({ digest: places[2]?.digest, event: { kind: 'wallet.created', version: 2 } });
  expect(followFeed(orgId, CHAIN_START, items)).toEqual({ sequence: 3, hash: items[2]?.hash });
  expect(await sequencer.placeOf(orgId, ids[0] ?? '')).toEqual({ itemId: ids[0], sequence: 1, digest: items[0]?.digest });
  expect(await sequencer.numberAll(orgId)).toBe(0);
  expect(await feed()).toEqual(items);
});

test('one transaction numbers all events of a batch, whether the relay asks for them together or one by one', async () => {
  const ids = [await emit('wa-1'), await emit('wa-2'), await emit('wa-3')];
  let transactions = 0;
  const counting: Database = {
    ...db,
    withOrg: (org, work) => {
      transactions += 1;
      return db.withOrg(org, work);
    },
  };
  const sequencer = createSequencer(counting);
  const places: (ItemPlace | undefined)[] = [];
  for (const id of ids) places.push(await sequencer.placeOf(orgId, id));
  expect([places.map((place) => place?.sequence), transactions]).toEqual([[1, 2, 3], 1]);
  expect(await sequencer.placeOf(orgId, ids[1] ?? '')).toEqual(places[1]);
});

test('an event from before the feed has no place', async () => {
  const id = await emit('wa-1');
  await database.arrange('DELETE FROM feed_pending WHERE org_id = $1', [orgId]);
  expect(await createSequencer(db).placeOf(orgId, id)).toBeUndefined();
  expect(await feed()).toEqual([]);
});

test('an event whose transaction commits after later ones is not skipped', async () => {
  const sequencer = createSequencer(db);
  const late = await lateEvent('wa-late');
  const early = await emit('wa-early');
  expect(await sequencer.placeOf(orgId, early)).toMatchObject({ sequence: 1 });
  const between = await emit('wa-between');
  await late.commit();
  expect(await sequencer.numberAll(orgId)).toBe(2);
  expect(idsOf(await feed())).toEqual([early, late.id, between]);
});

test('an event that commits while a sequencer works waits for the next turn', async () => {
  const late = await lateEvent('wa-late');
  const first = await emit('wa-1');
  const committing: Database = {
    ...db,
    withOrg: (org, work) =>
      db.withOrg(org, async (tx) => {
        const result = await work(tx);
        await late.commit();
        return result;
      }),
  };
  expect(await createSequencer(committing).numberAll(orgId)).toBe(1);
  expect(await createSequencer(db).numberAll(orgId)).toBe(1);
  expect(idsOf(await feed())).toEqual([first, late.id]);
});

test('two sequencers at once number every event once, in the order of each record', async () => {
  const both = [createSequencer(db), createSequencer(db)];
  const records = ['wa-1', 'wa-2', 'wa-3', 'wa-4'];
  const emitted = new Map<string, string[]>();
  await Promise.all(
    records.map(async (record) => {
      const ids: string[] = [];
      emitted.set(record, ids);
      for (let version = 1; version <= 20; version += 1) {
        const id = await emit(record, version);
        ids.push(id);
        await Promise.all(both.map((sequencer) => sequencer.placeOf(orgId, id)));
      }
    }),
  );
  const items = await feed();
  expect(items).toHaveLength(80);
  expect(followFeed(orgId, CHAIN_START, items)).toEqual({ sequence: 80, hash: items.at(-1)?.hash });
  for (const [record, ids] of emitted) {
    expect([record, idsOf(items).filter((id) => ids.includes(id))]).toEqual([record, ids]);
  }
});

test('all events get places, even if there are more events than one transaction numbers', async () => {
  const ids = await db.withOrg(orgId, async (tx) => {
    const written: string[] = [];
    for (let n = 0; n < 1_050; n += 1) written.push(await emitIn(tx, `wa-${n}`));
    return written;
  });
  const last = ids.at(-1) ?? '';
  expect(await createSequencer(db).placeOf(orgId, last)).toMatchObject({ sequence: 1_050 });
  const items: FeedItem[] = [];
  for (const at of [0, 500, 1_000]) {
    const after = at === 0 ? CHAIN_START : (items.at(-1) ?? CHAIN_START);
    items.push(...(await readFeed(db.read(orgId), { after, limit: 500 })).items);
  }
  expect(idsOf(items)).toEqual(ids);
  expect(followFeed(orgId, CHAIN_START, items)).toEqual({ sequence: 1_050, hash: items.at(-1)?.hash });
});

test('a sequencer that dies before or after its commit leaves no gap and no duplicate', async () => {
  const ids = [await emit('wa-1')];
  const before: Database = {
    ...db,
    withOrg: (org, work) =>
      db.withOrg(org, async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await expect(createSequencer(before).numberAll(orgId)).rejects.toThrow('killed');
  expect(await feed()).toEqual([]);
  await expect(createSequencer(dyingAfter(db, 1)).numberAll(orgId)).rejects.toThrow('killed');
  ids.push(await emit('wa-2'));
  expect(await createSequencer(db).placeOf(orgId, ids[0] ?? '')).toMatchObject({ sequence: 1 });
  const items = await feed();
  expect(idsOf(items)).toEqual(ids);
  expect(followFeed(orgId, CHAIN_START, items)).toMatchObject({ sequence: 2 });
});

test('the feeds of two organisations are numbered separately, and their chains differ', async () => {
  await emit('wa-1');
  await createSequencer(db).numberAll(orgId);
  const [first] = await feed();
  orgId = await database.createOrganization();
  await emit('wa-1');
  await createSequencer(db).numberAll(orgId);
  const [other] = await feed();
  expect([first?.sequence, other?.sequence]).toEqual([1, 1]);
  expect(other?.hash).not.toBe(first?.hash);
});

test.each<[string, string, object]>([
  [
    'an altered event',
    `UPDATE events SET data = '{"altered": true}' WHERE org_id = $1 AND id = $2`,
    { sequence: 2, fault: 'ContentAltered' },
  ],
  ['a removed event', 'DELETE FROM events WHERE org_id = $1 AND id = $2', { sequence: 2, fault: 'Gap' }],
  ['a removed entry', 'DELETE FROM feed_entries WHERE org_id = $1 AND event_id = $2', { sequence: 2, fault: 'Gap' }],
  [
    'an altered hash',
    `UPDATE feed_entries SET hash = sha256('x') WHERE org_id = $1 AND event_id = $2`,
    { sequence: 2, fault: 'ChainBroken' },
  ],
  [
    'two swapped events',
    `UPDATE feed_entries f SET event_id = 'x-' || g.event_id, digest = g.digest FROM feed_entries g
     WHERE f.org_id = $1 AND g.org_id = $1 AND (f.event_id = $2 OR g.event_id = $2)
       AND f.sequence IN (2, 3) AND g.sequence IN (2, 3) AND f.sequence <> g.sequence`,
    { sequence: 2, fault: 'ChainBroken' },
  ],
])('a reader finds %s in the database', async (_what, sql, fault) => {
  const ids = [await emit('wa-1'), await emit('wa-2'), await emit('wa-3')];
  await createSequencer(db).numberAll(orgId);
  await database.arrange(sql, [orgId, ids[1] ?? '']);
  await database.arrange(`UPDATE feed_entries SET event_id = substr(event_id, 3) WHERE org_id = $1 AND event_id LIKE 'x-%'`, [
    orgId,
  ]);
  expect(followFeed(orgId, CHAIN_START, await feed())).toEqual(fault);
});
