import { readFeed } from '../../../application/feed/feed';
import { createSequencer } from '../../../application/feed/sequencer';
import type { Database } from '../../../entities/database';
import { eventStore } from '../../../entities/events/event.store';
import { CHAIN_START, type ChainPosition, type FeedItem, followFeed } from '../../../platform/hash-chain';
import { createTestDatabase } from '../../support/database';

const WRITERS = 6;
const EVENTS_PER_COMMIT_MAX = 40;
const PAGE_MAX = 500;
const DIES = 0.1;
const CUT_OFF = 0.3;

/** Repeats the same choices for the same seed (mulberry32). */
function choicesOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A database whose process sometimes dies before a commit and sometimes after it. */
const dying = (db: Database, choice: () => number): Database => ({
  ...db,
  withOrg: async (orgId, work) => {
    const result = await db.withOrg(orgId, async (tx) => {
      const done = await work(tx);
      if (choice() < DIES) throw new Error('killed before the commit');
      return done;
    });
    if (choice() < DIES) throw new Error('killed after the commit');
    return result;
  },
});

type Run = {
  readonly db: Database;
  readonly orgId: string;
  readonly choice: () => number;
  readonly count: number;
  readonly emitted: string[];
  isWriting: boolean;
  isSequencing: boolean;
};

async function write({ db, orgId, choice, count, emitted }: Run, aggregateId: string): Promise<void> {
  for (let version = 1; emitted.length < count; ) {
    const ids = await db.withOrg(orgId, async (tx) => {
      const written: string[] = [];
      for (let n = Math.ceil(choice() * EVENTS_PER_COMMIT_MAX); n > 0; n -= 1, version += 1) {
        const event = { kind: 'wallet.created', aggregateId, aggregateVersion: version, data: { aggregateId } } as const;
        written.push(await eventStore.emit(tx, event));
      }
      return written;
    });
    emitted.push(...ids);
  }
}

async function sequence(run: Run): Promise<void> {
  const { db, orgId, choice } = run;
  for (let isOver = false; !isOver; ) {
    const isLast = !run.isWriting;
    isOver = await createSequencer(dying(db, choice))
      .numberAll(orgId)
      .then(
        () => isLast,
        () => false,
      );
  }
}

async function read(run: Run): Promise<readonly FeedItem[]> {
  const { db, orgId, choice } = run;
  const all: FeedItem[] = [];
  let position: ChainPosition = CHAIN_START;
  for (let isOver = false; !isOver; ) {
    const isLast = !run.isSequencing;
    const { items } = await readFeed(db.read(orgId), { after: position, limit: Math.ceil(choice() * PAGE_MAX) });
    isOver = isLast && items.length === 0;
    if (choice() < CUT_OFF) continue; // the answer is lost, and the reader comes back with its cursor
    const end = followFeed(orgId, position, items);
    if ('fault' in end) throw new Error(`the event ${end.sequence}: ${end.fault}`);
    position = end;
    all.push(...items);
  }
  return all;
}

/**
 * Many writers emit about so many events in commits of all lengths, while two sequencers die at random and a reader is cut off at
 * random. Returns the ids of the emitted events, and what the reader has at the end.
 */
export async function feedUnderChaos(count: number, seed: number) {
  const { db, createOrganization, close } = await createTestDatabase();
  try {
    const orgId = await createOrganization();
    const run: Run = { db, orgId, choice: choicesOf(seed), count, emitted: [], isWriting: true, isSequencing: true };
    const sequencing = Promise.all([sequence(run), sequence(run)]);
    const reading = read(run);
    await Promise.all(Array.from({ length: WRITERS }, (_writer, at) => write(run, `wa-${at}`)));
    run.isWriting = false;
    await sequencing;
    run.isSequencing = false;
    return { emitted: run.emitted, items: await reading };
  } finally {
    await close();
  }
}

/** The versions of each record, in the order of the feed. */
export function versionsIn(items: readonly FeedItem[]): readonly (readonly number[])[] {
  const versions = new Map<unknown, number[]>();
  for (const { event } of items) {
    const record = event.data['aggregateId'];
    const own = versions.get(record) ?? [];
    own.push(event.version);
    versions.set(record, own);
  }
  return [...versions.values()];
}
