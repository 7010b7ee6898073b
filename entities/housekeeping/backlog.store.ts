import { Pool } from 'pg';
import { OPERATION_OPEN } from '../../domain/lanes';
import { ENDED_TRANSFERS } from '../ended-states';

/** `first` and `second` are labels of the metric. `oldestSeconds` is null for the kinds whose age is not measured. */
export type BacklogRow = {
  readonly what: 'transfers' | 'wallets' | 'approvals' | 'mails' | 'outbox' | 'claims' | 'lanes' | 'troubles' | 'operations';
  readonly first: string;
  readonly second: string;
  readonly count: number;
  readonly oldestSeconds: number | null;
};

export type BacklogStore = {
  /** Covers all organisations, and reads only the indexes that contain open rows. */
  readonly read: () => Promise<readonly BacklogRow[]>;
  readonly close: () => Promise<void>;
};

/** The limit bounds the cost of reading the metrics once. If the counts of a kind add up to the limit, more rows may be open. */
const ROWS_MAX = 200_000;
const LIMIT_MS = 2_000;

const AGE = 'extract(epoch FROM clock_timestamp() - min(date_created))::float8';
const counted = (what: BacklogRow['what'], first: string, second: string, age: string, from: string) =>
  `SELECT '${what}' AS what, ${first} AS first, ${second} AS second, count(*)::integer AS count, ${age} AS "oldestSeconds"
   FROM ${from} GROUP BY 2, 3`;
const open = (columns: string, table: string, where: string) =>
  `(SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${ROWS_MAX}) AS open_rows`;
const perLane = `(SELECT network, count(*) AS active FROM ${open('org_id, network, lane', 'claims', `state <> 'Consumed'`)}
  GROUP BY org_id, network, lane) AS lanes`;

/**
 * In rows of the kind `lanes`, the label `second` is a number of active claims (reserved nonces or coins). `count` is the number
 * of lanes (queues of one sender) with exactly that many active claims.
 */
const BACKLOG = [
  counted('transfers', 'network', 'state', 'NULL', open('network, state', 'transfers', `state NOT IN ${ENDED_TRANSFERS}`)),
  counted('wallets', `''`, `''`, AGE, open('date_created', 'wallets', `status = 'Creating'`)),
  counted('approvals', `''`, `''`, AGE, open('date_created', 'approvals', `status = 'Pending'`)),
  counted('mails', `''`, `''`, AGE, open('date_created', 'mails', `status = 'Waiting'`)),
  counted('outbox', 'kind', `''`, AGE, open('kind, date_created', 'outbox', 'date_relayed IS NULL')),
  counted('claims', 'network', 'state', 'NULL', open('network, state', 'claims', `state <> 'Consumed'`)),
  counted('lanes', 'network', 'active::text', 'NULL', perLane),
  counted('troubles', 'network', `trouble ->> 'kind'`, 'NULL', open('network, trouble', 'lanes', 'trouble IS NOT NULL')),
  counted(
    'operations',
    'network',
    `''`,
    'NULL',
    open(
      'network',
      'transfers',
      `state NOT IN ${ENDED_TRANSFERS} AND hindrance ->> 'detail' = '${OPERATION_OPEN}'
        AND (hindrance ->> 'version')::integer = version`,
    ),
  ),
].join('\nUNION ALL\n');

/** The relay role may read only columns such as states and dates (S15). */
export function openBacklogStore(relayUrl: string): BacklogStore {
  const pool = new Pool({
    connectionString: relayUrl,
    max: 1,
    application_name: 'strongroom-metrics',
    connectionTimeoutMillis: LIMIT_MS,
    statement_timeout: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  pool.on('error', () => undefined);
  return {
    read: async () => (await pool.query<BacklogRow>(BACKLOG)).rows,
    close: () => pool.end(),
  };
}
