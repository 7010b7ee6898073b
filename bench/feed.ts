import { readFeed } from '../application/feed/feed';
import { createSequencer } from '../application/feed/sequencer';
import { openStrongroomDatabase } from '../entities/data-source';
import type { Database } from '../entities/database';
import { CHAIN_START, followFeed } from '../platform/hash-chain';
import type { Bench, Figure } from './bench';
import { cpuMsOf } from './cpu';
import { writeBacklog, writeOrganizations } from './event-rows';
import { type BenchPostgres, startBenchPostgres } from './postgres';

const EVENTS = 50_000;
const NUMBERED_PER_SECOND_MIN = 2_000;
const PAGE_EVENTS = 500;
const SEQUENCERS = [1, 2] as const;

/**
 * Measures how fast one sequencer, and then two, number the events of one organisation's feed, and how fast a reader verifies the
 * chain.
 */
export const feed: Bench = {
  name: 'feed',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const db = await openStrongroomDatabase({ url: postgres.workerUrl, poolMax: 4, applicationName: 'bench-feed' });
    try {
      const count = Math.max(2_000, Math.round(EVENTS * size));
      const organizations = await writeOrganizations(postgres, SEQUENCERS.length);
      const figures: Figure[] = [];
      for (const [at, orgId] of organizations.entries()) {
        await writeBacklog(postgres, { kind: 'event', orgIds: [orgId], count });
        figures.push(...(await numbered(db, postgres, { orgId, count, sequencers: SEQUENCERS[at] ?? 1 })));
        say(`${count} events numbered`);
      }
      return [...figures, ...(await bytesPerEntry(postgres)), ...(await verified(db, organizations[0] ?? '', count))];
    } finally {
      await db.close();
      await postgres.close();
    }
  },
};

type Load = { readonly orgId: string; readonly count: number; readonly sequencers: number };

async function numbered(db: Database, postgres: BenchPostgres, { orgId, count, sequencers }: Load): Promise<readonly Figure[]> {
  const name = sequencers === 1 ? 'numbered by one sequencer' : `numbered by ${sequencers} sequencers at once`;
  const before = { ours: cpuMsOf(process.pid), postgres: cpuMsOf(postgres.pid) };
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: sequencers }, () => createSequencer(db).numberAll(orgId)));
  const seconds = (performance.now() - started) / 1_000;
  const sum = counts.reduce((total, one) => total + one, 0);
  if (sum !== count) throw new Error(`${sum} of ${count} events were numbered`);
  return [
    { name, value: count / seconds, unit: '1/s', aim: { atLeast: NUMBERED_PER_SECOND_MIN } },
    { name: `${name}, CPU of the process per event`, value: (cpuMsOf(process.pid) - before.ours) / count, unit: 'ms' },
    { name: `${name}, Postgres CPU per event`, value: (cpuMsOf(postgres.pid) - before.postgres) / count, unit: 'ms' },
  ];
}

async function bytesPerEntry({ query }: BenchPostgres): Promise<readonly Figure[]> {
  const [size] = await query<{ bytes: number }>(
    `SELECT pg_total_relation_size('feed_entries')::float8 / count(*) AS bytes FROM feed_entries`,
  );
  return [{ name: 'an entry with its indexes', value: size?.bytes ?? 0, unit: 'bytes' }];
}

async function verified(db: Database, orgId: string, count: number): Promise<readonly Figure[]> {
  const started = performance.now();
  let position = CHAIN_START;
  while (position.sequence < count) {
    const { items } = await readFeed(db.read(orgId), { after: position, limit: PAGE_EVENTS });
    const end = followFeed(orgId, position, items);
    if ('fault' in end) throw new Error(`the event ${end.sequence}: ${end.fault}`);
    position = end;
  }
  return [{ name: 'read in pages and verified', value: count / ((performance.now() - started) / 1_000), unit: '1/s' }];
}
