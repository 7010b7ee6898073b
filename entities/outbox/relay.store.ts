import { Pool } from 'pg';
import { OUTBOX_SHARDS, type OutboxKind } from '../../domain/outbox';
import { createBatches } from '../../platform/batches';
import { CHANGES_CHANNEL } from '../../platform/wait-for-change';
import { CONNECT_TIMEOUT_MS } from '../connect-timeout';

export type WaitingRow = {
  readonly orgId: string;
  readonly id: string;
  readonly shard: number;
  readonly kind: OutboxKind;
  readonly aggregateId: string;
  readonly dedupeKey: string;
  readonly routing: Readonly<Record<string, string>>;
  readonly attempts: number;
};

/** For each organisation, the relay sees only ids and routing data (S15). */
export type RelayStore = {
  /**
   * Returns the due rows of the shards that the holder has leased. The organisations alternate, so the backlog of one
   * organisation does not delay the other organisations. Each organisation's oldest row comes first. The queue (line) `events`
   * contains a record's events, and the queue `work` contains the record's starts and signals. A row that waits for a retry
   * delays the later rows of the same record in the same queue. Omits the rows in `held`, which the relay is already dispatching.
   * `after` is the organisation at which the last poll stopped.
   */
  readonly take: (holder: string, line: Line, held: readonly string[], rowsMax: number, after?: string) => Promise<Taken>;
  /** Concurrent calls share one statement. */
  readonly markRelayed: (row: WaitingRow) => Promise<void>;
  /** Postpones the row by `pauseMs` and counts the attempt. */
  readonly putOff: (row: WaitingRow, pauseMs: number) => Promise<void>;
  /** Wakes the callers of the API that wait for a change of these records. */
  readonly notify: (aggregateIds: readonly string[]) => Promise<void>;
  /**
   * Returns the numbers of the shards that the holder (a relay process) has leased, and the negative number that shows that the
   * holder is alive.
   */
  readonly renew: (holder: string, ttlMs: number) => Promise<number[]>;
  /** Takes at most `count` free numbers. Returns the numbers that this call has leased. */
  readonly claim: (holder: string, ttlMs: number, range: LeaseRange, count: number) => Promise<number[]>;
  /** A holder is alive while its lease on a negative number has not expired. */
  readonly countHolders: () => Promise<number>;
  readonly release: (holder: string, numbers: readonly number[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Line = 'work' | 'events';
export type Taken = { readonly rows: readonly WaitingRow[]; readonly after: string };
export type LeaseRange = keyof typeof RANGES;

/** Each holder leases one negative number, so the holders can count each other and share the shards evenly. */
const RANGES = { shards: [0, OUTBOX_SHARDS - 1], presence: [-OUTBOX_SHARDS, -1] } as const;

const POOL_MAX = 3;
const MARKS_MAX = 200;
/**
 * One poll reads at most this many rows of an organisation, and this many organisations of a shard. The limits keep the cost of
 * a poll independent of the backlog.
 */
const ORG_ROWS_MAX = 16;
const ORGS_MAX = 32;
const STATEMENT_TIMEOUT_MS = 5_000;

function takeStatement(line: Line, isHolding: boolean): string {
  const ofLine = (alias: string) => (line === 'events' ? `${alias}.kind = 'event'` : `${alias}.kind <> 'event'`);
  const isFree = isHolding ? 'AND o.id <> ALL($6)' : '';
  const nextOrg = (shard: string, behind: string) => `(
    SELECT o.org_id FROM outbox o WHERE o.shard = ${shard} AND o.date_relayed IS NULL AND ${ofLine('o')} AND o.org_id > ${behind}
    ORDER BY o.org_id LIMIT 1)`;
  return `
    WITH RECURSIVE orgs AS (
      SELECT l.shard, ${nextOrg('l.shard', '$5 COLLATE "C"')} AS org_id, 1 AS n
      FROM outbox_leases l WHERE l.holder = $1 AND l.shard >= 0 AND l.date_expires > clock_timestamp()
      UNION ALL
      SELECT g.shard, ${nextOrg('g.shard', 'g.org_id')}, g.n + 1 FROM orgs g WHERE g.org_id IS NOT NULL AND g.n < $4
    ), waiting AS (
      SELECT o.*, row_number() OVER (PARTITION BY o.org_id ORDER BY o.place, o.seq) AS turn
      FROM orgs g CROSS JOIN LATERAL (
        SELECT o.*, row_number() OVER (ORDER BY o.seq) AS place FROM outbox o
        WHERE o.shard = g.shard AND o.org_id = g.org_id AND o.date_relayed IS NULL AND ${ofLine('o')}
          AND o.date_due <= clock_timestamp() ${isFree}
          AND NOT EXISTS (
            SELECT 1 FROM outbox e
            WHERE e.aggregate_id = o.aggregate_id AND e.org_id = o.org_id AND e.date_relayed IS NULL AND ${ofLine('e')}
              AND e.seq < o.seq AND e.date_due > clock_timestamp())
        ORDER BY o.seq LIMIT $3) o
    )
    SELECT o.org_id AS "orgId", o.id, o.shard, o.kind, o.aggregate_id AS "aggregateId", o.dedupe_key AS "dedupeKey",
           o.routing, o.attempts, stop.org_id AS "stoppedAt"
    FROM (SELECT min(g.org_id) AS org_id FROM orgs g WHERE g.n = $4) stop LEFT JOIN waiting o ON true
    ORDER BY o.turn, o.seq LIMIT $2`;
}

function leasesOver(pool: Pool): Pick<RelayStore, 'renew' | 'claim' | 'countHolders' | 'release'> {
  const numbers = async (sql: string, values: readonly unknown[]) =>
    (await pool.query<{ shard: number }>(sql, [...values])).rows.map(({ shard }) => shard);

  return {
    renew: (holder, ttlMs) =>
      numbers(
        `UPDATE outbox_leases SET date_expires = clock_timestamp() + $2 * interval '1 millisecond' WHERE holder = $1
         RETURNING shard`,
        [holder, ttlMs],
      ),
    claim: (holder, ttlMs, range, count) =>
      // Random free numbers make it rare that two holders claim the same number. The fixed order of the locks prevents deadlocks.
      numbers(
        `INSERT INTO outbox_leases (shard, holder, date_expires)
         SELECT n, $1, clock_timestamp() + $2 * interval '1 millisecond' FROM (
           SELECT n FROM generate_series($3::integer, $4::integer) AS n
           WHERE NOT EXISTS (SELECT 1 FROM outbox_leases l WHERE l.shard = n AND l.date_expires > clock_timestamp())
           ORDER BY random() LIMIT $5) AS free
         ORDER BY n
         ON CONFLICT (shard) DO UPDATE SET holder = excluded.holder, date_expires = excluded.date_expires
           WHERE outbox_leases.date_expires <= clock_timestamp()
         RETURNING shard`,
        [holder, ttlMs, ...RANGES[range], count],
      ),
    countHolders: async () => {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM outbox_leases WHERE shard < 0 AND date_expires > clock_timestamp()',
      );
      return rows[0]?.count ?? 0;
    },
    release: async (holder, released) => {
      await pool.query(
        `UPDATE outbox_leases SET holder = '', date_expires = clock_timestamp() WHERE holder = $1 AND shard = ANY($2)`,
        [holder, [...released]],
      );
    },
  };
}

export function openRelayStore(relayUrl: string): RelayStore {
  const settings = {
    connectionString: relayUrl,
    max: POOL_MAX,
    application_name: 'strongroom-relay',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  };
  const pool = new Pool(settings);
  /**
   * `hasty` does not wait for the disk: if a crash loses the mark on a dispatched row, the relay sends the row again. `pool`
   * waits for the disk: if a crash lost a lease, two relays could hold the same shard.
   */
  const hasty = new Pool({ ...settings, options: '-c synchronous_commit=off' });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  for (const each of [pool, hasty]) each.on('error', () => undefined);

  return {
    take: async (holder, line, held, rowsMax, after = '') => {
      const values = [holder, rowsMax, ORG_ROWS_MAX, ORGS_MAX, after, ...(held.length === 0 ? [] : [[...held]])];
      // For an idle relay `held` is empty, so the statement is always the same and the name makes the server cache the plan.
      const name = held.length === 0 ? `take-${line}` : undefined;
      const text = takeStatement(line, held.length > 0);
      type Found = (WaitingRow | { readonly id: null }) & { readonly stoppedAt: string | null };
      const { rows } = await pool.query<Found>({ text, values, ...(name === undefined ? {} : { name }) });
      return { rows: rows.filter((row) => row.id !== null), after: rows[0]?.stoppedAt ?? '' };
    },
    markRelayed: createBatches<WaitingRow, void>({
      groupOf: () => '',
      itemsMax: MARKS_MAX,
      run: async (rows) => {
        await hasty.query(
          `UPDATE outbox o SET date_relayed = clock_timestamp()
           FROM unnest($1::text[], $2::text[]) AS r (org_id, id) WHERE o.org_id = r.org_id AND o.id = r.id`,
          [rows.map(({ orgId }) => orgId), rows.map(({ id }) => id)],
        );
        return [];
      },
    }),
    putOff: async ({ orgId, id }, pauseMs) => {
      await pool.query(
        `UPDATE outbox SET attempts = attempts + 1, date_due = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE org_id = $1 AND id = $2`,
        [orgId, id, pauseMs],
      );
    },
    notify: async (aggregateIds) => {
      await hasty.query('SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id', [CHANGES_CHANNEL, [...aggregateIds]]);
    },
    ...leasesOver(pool),
    close: async () => {
      await Promise.all([pool.end(), hasty.end()]);
    },
  };
}
