import { createFeedFollowers, type FeedFollowers } from '../../../application/feed/followers';
import { createSequencer } from '../../../application/feed/sequencer';
import type { Database } from '../../../entities/database';
import { eventStore } from '../../../entities/events/event.store';
import { CHAIN_START, type ChainPosition, type FeedItem, followFeed, positionOf } from '../../../platform/hash-chain';
import { countedDatabase } from '../../support/counted-database';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let db: Database;
let orgId: string;
let followers: FeedFollowers;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  followers = createFeedFollowers({ db });
});
afterEach(() => followers.close());

async function emit(count: number, org = orgId): Promise<void> {
  await db.withOrg(org, async (tx) => {
    for (let n = 1; n <= count; n += 1)
      await eventStore.emit(tx, { kind: 'wallet.created', aggregateId: 'wa-1', aggregateVersion: n, data: { n } });
  });
  await createSequencer(db).numberAll(org);
}

const always = async () => true;

/** Opens a stream and collects its events. A heartbeat is a frame without an event. */
async function open(after: ChainPosition = CHAIN_START, mayGoOn = always, org = orgId, of = followers) {
  const texts = (await of.follow(org, after, mayGoOn))[Symbol.asyncIterator]();
  const read: FeedItem[] = [];
  const ids: string[] = [];
  return {
    read,
    ids,
    /** Reads the next text of the stream. Returns false at the end of the stream. */
    step: async () => {
      const { done, value } = await texts.next();
      if (done === true) return false;
      for (const frame of value.split('\n\n').filter((one: string) => one !== '' && one !== ':')) {
        const [id = '', data = ''] = frame.split('\n');
        ids.push(id.replace(/^id: /, ''));
        read.push(JSON.parse(data.replace(/^data: /, '')) as FeedItem);
      }
      return true;
    },
    leave: async () => void (await texts.return?.()),
  };
}

test('a stream delivers all events and then each new one, in a chain that can be verified', async () => {
  await emit(250);
  const stream = await open();
  while (stream.read.length < 250) await stream.step();
  const next = stream.step();
  await emit(2);
  await next;
  while (stream.read.length < 252) await stream.step();
  const last = stream.read.at(-1);
  expect(followFeed(orgId, CHAIN_START, stream.read)).toEqual({ sequence: 252, hash: last?.hash });
  expect(stream.ids.at(-1)).toBe(`252-${last?.hash}`);
  await stream.leave();
});

test('after a lost connection, a reader continues after its last event', async () => {
  await emit(5);
  const first = await open();
  await first.step();
  await first.leave();
  await emit(3);
  const again = await open(positionOf(first.ids[2] ?? ''));
  await again.step();
  expect(again.read.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7, 8]);
});

test('a quiet stream begins at once and sends heartbeats, and ends when its reader is no longer allowed', async () => {
  let isAllowed = true;
  const quick = createFeedFollowers({ db, heartbeatMs: 20, checkMs: 20 });
  const stream = await open(CHAIN_START, async () => isAllowed, orgId, quick);
  expect([await stream.step(), await stream.step(), await stream.step(), stream.read]).toEqual([true, true, true, []]);
  isAllowed = false;
  expect(await stream.step()).toBe(false);
  expect(await stream.step()).toBe(false);
});

test('an organisation with the maximum number of readers gets a new reader once a reader has left, and other organisations are not affected', async () => {
  const few = createFeedFollowers({ db, perOrganizationMax: 2 });
  const streams = [await open(CHAIN_START, always, orgId, few), await open(CHAIN_START, always, orgId, few)];
  await expect(open(CHAIN_START, always, orgId, few)).rejects.toMatchObject({ code: 'RateLimited' });
  const other = await open(CHAIN_START, always, await database.createOrganization(), few);
  // The first reader leaves before it has read anything.
  await streams[0]?.leave();
  await streams[0]?.leave();
  const next = await open(CHAIN_START, always, orgId, few);
  await expect(open(CHAIN_START, always, orgId, few)).rejects.toMatchObject({ code: 'RateLimited' });
  expect([await other.step(), await next.step()]).toEqual([true, true]);
  few.close();
});

test('waiting streams of one organisation share one read of the head', async () => {
  await emit(1);
  const counted = countedDatabase(db);
  const sharing = createFeedFollowers({ db: counted.db });
  const streams = await Promise.all(Array.from({ length: 8 }, () => open(CHAIN_START, always, orgId, sharing)));
  for (const stream of streams) await stream.step();
  counted.asked.length = 0;
  const next = streams.map((stream) => stream.step());
  await emit(1);
  await Promise.all(next);
  // Each stream reads a page with four queries when its wait begins, and another page when it wakes.
  const looks = counted.asked.length - 2 * streams.length * 4;
  expect(looks).toBeLessThan(streams.length);
  expect(streams.map(({ read }) => read.length)).toEqual(streams.map(() => 2));
  sharing.close();
});

test('a closing process ends its streams at once', async () => {
  const stream = await open();
  await stream.step();
  const next = stream.step();
  followers.close();
  expect(await next).toBe(false);
  await expect(open()).rejects.toMatchObject({ code: 'RateLimited' });
});

test('a database that cannot be read ends the stream, so that the reader reconnects', async () => {
  await emit(1);
  let isAway = false;
  const reading = {
    read: (org: string) => {
      if (isAway) throw new Error('away');
      return db.read(org);
    },
  };
  const stream = await open(CHAIN_START, always, orgId, createFeedFollowers({ db: reading, heartbeatMs: 20 }));
  expect(await stream.step()).toBe(true);
  isAway = true;
  expect(await stream.step()).toBe(false);
});
