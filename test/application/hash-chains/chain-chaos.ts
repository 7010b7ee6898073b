import { readAuditLog } from '../../../application/audit-logs/read-audit-log';
import { readFeed } from '../../../application/feed/feed';
import { CHAINS } from '../../../application/hash-chains/chains';
import { numberAll } from '../../../application/hash-chains/number-pending';
import { auditEntryStore } from '../../../entities/audit-logs/audit-entry.store';
import type { Database, Reader, Tx } from '../../../entities/database';
import { eventStore } from '../../../entities/events/event.store';
import {
  CHAIN_START,
  type ChainFault,
  type ChainLink,
  type ChainPosition,
  followAudit,
  followFeed,
} from '../../../platform/hash-chain';
import { createTestDatabase } from '../../support/database';

/** An item of a chain; `id` is unique, and `version` rises from item to item of one record. */
type Seen = { readonly sequence: number; readonly id: string; readonly record: string; readonly version: number };
type Page = { readonly after: ChainPosition; readonly limit: number };
type Read = { readonly end: ChainPosition | ChainFault; readonly seen: readonly Seen[] };
type Subject = {
  /** Returns the id of the new item. */
  readonly add: (tx: Tx, record: string, version: number) => Promise<string>;
  readonly number: (db: Database, orgId: string) => Promise<unknown>;
  readonly read: (reader: Reader, orgId: string, page: Page) => Promise<Read>;
};

const seenIn = <I extends ChainLink>(items: readonly I[], of: (item: I) => Omit<Seen, 'sequence'>): readonly Seen[] =>
  items.map((item) => ({ sequence: item.sequence, ...of(item) }));

export const SUBJECTS: Readonly<Record<'feed' | 'audit', Subject>> = {
  feed: {
    add: (tx, record, version) =>
      eventStore.emit(tx, { kind: 'wallet.created', aggregateId: record, aggregateVersion: version, data: { record } }),
    number: (db, orgId) => numberAll(db, CHAINS.feed, orgId),
    read: async (reader, orgId, page) => {
      const { items } = await readFeed(reader, page);
      const of = ({ event: { id, data, version } }: (typeof items)[number]) => ({ id, record: String(data['record']), version });
      return { end: followFeed(orgId, page.after, items), seen: seenIn(items, of) };
    },
  },
  audit: {
    add: async (tx, record, version) => {
      await auditEntryStore.command(tx, 'org:service-account-votes', { record, version: String(version) });
      return `${record}/${version}`;
    },
    number: (db, orgId) => numberAll(db, CHAINS.audit, orgId),
    read: async (reader, orgId, page) => {
      const { items } = await readAuditLog(reader, page);
      const of = ({ entry }: (typeof items)[number]) => {
        const { record = '', version = '' } = entry.data['details'] as Record<string, string>;
        return { id: `${record}/${version}`, record, version: Number(version) };
      };
      return { end: followAudit(orgId, page.after, items), seen: seenIn(items, of) };
    },
  },
};

const WRITERS = 6;
const ITEMS_PER_COMMIT_MAX = 40;
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
  readonly subject: Subject;
  readonly db: Database;
  readonly orgId: string;
  readonly choice: () => number;
  readonly count: number;
  readonly added: string[];
  isWriting: boolean;
  isSequencing: boolean;
};

async function write({ db, orgId, choice, count, added, subject }: Run, record: string): Promise<void> {
  for (let version = 1; added.length < count; ) {
    const ids = await db.withOrg(orgId, async (tx) => {
      const written: string[] = [];
      for (let n = Math.ceil(choice() * ITEMS_PER_COMMIT_MAX); n > 0; n -= 1, version += 1)
        written.push(await subject.add(tx, record, version));
      return written;
    });
    added.push(...ids);
  }
}

async function sequence(run: Run): Promise<void> {
  const { db, orgId, choice, subject } = run;
  for (let isOver = false; !isOver; ) {
    const isLast = !run.isWriting;
    isOver = await subject.number(dying(db, choice), orgId).then(
      () => isLast,
      () => false,
    );
  }
}

async function read(run: Run): Promise<readonly Seen[]> {
  const { db, orgId, choice, subject } = run;
  const all: Seen[] = [];
  let position: ChainPosition = CHAIN_START;
  for (let isOver = false; !isOver; ) {
    const isLast = !run.isSequencing;
    const { end, seen } = await subject.read(db.read(orgId), orgId, { after: position, limit: Math.ceil(choice() * PAGE_MAX) });
    isOver = isLast && seen.length === 0;
    if (choice() < CUT_OFF) continue; // the response is lost, and the reader reconnects with its cursor
    if ('fault' in end) throw new Error(`the item ${end.sequence}: ${end.fault}`);
    position = end;
    all.push(...seen);
  }
  return all;
}

/**
 * Many writers add at least `count` items in commits of different sizes, while two sequencers die at random and a reader is cut
 * off at random. Returns the ids of the added items, and what the reader has at the end.
 */
export async function underChaos(subject: Subject, count: number, seed: number) {
  const { db, createOrganization, close } = await createTestDatabase();
  try {
    const orgId = await createOrganization();
    const run: Run = { subject, db, orgId, choice: choicesOf(seed), count, added: [], isWriting: true, isSequencing: true };
    const sequencing = Promise.all([sequence(run), sequence(run)]);
    const reading = read(run);
    await Promise.all(Array.from({ length: WRITERS }, (_writer, at) => write(run, `wa-${at}`)));
    run.isWriting = false;
    await sequencing;
    run.isSequencing = false;
    return { added: run.added, items: await reading };
  } finally {
    await close();
  }
}

/** The versions of each record, in the order of the chain. */
export function versionsIn(items: readonly Seen[]): readonly (readonly number[])[] {
  const versions = new Map<string, number[]>();
  for (const { record, version } of items) {
    const own = versions.get(record) ?? [];
    own.push(version);
    versions.set(record, own);
  }
  return [...versions.values()];
}
