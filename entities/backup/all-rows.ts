import { Client, type QueryResultRow } from 'pg';
import { ALL_ROWS } from './permit';

const FETCHED_AT_ONCE = 500;
const CONNECT_TIMEOUT_MS = 10_000;

export type TableShape = { readonly name: string; readonly columns: readonly string[] };

/** Read access to every row of every organisation, as of one moment. */
export type AllRows = {
  readonly select: <R extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<R[]>;
  /** Reads the rows in small batches, to bound memory. */
  readonly each: <R extends QueryResultRow>(sql: string) => AsyncIterable<R>;
};

/** Runs `work` as the owner role over one snapshot. A snapshot takes no locks, so the service may keep running. */
export async function withAllRows<T>(ownerUrl: string, work: (rows: AllRows) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: ownerUrl,
    application_name: 'strongroom-operator',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(ALL_ROWS);
    return await work(rowsOver(client));
  } finally {
    await client.end();
  }
}

/** The caller begins and ends the connection's transaction. */
export function rowsOver(client: Client): AllRows {
  let cursors = 0;
  return {
    select: async (sql, values = []) => (await client.query<never>(sql, [...values])).rows,
    async *each(sql) {
      const cursor = `rows_${++cursors}`;
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
      for (;;) {
        const { rows } = await client.query<never>(`FETCH ${FETCHED_AT_ONCE} FROM ${cursor}`);
        if (rows.length === 0) break;
        yield* rows;
      }
      await client.query(`CLOSE ${cursor}`);
    },
  };
}

/**
 * Returns only the columns that can be written. Omits unlogged tables, and the table of migrations, which a restore fills when it
 * creates the schema. A transaction id is meaningless in another database cluster, so a restored row gets a new transaction id.
 */
export const tablesOf = ({ select }: AllRows): Promise<TableShape[]> =>
  select<{ name: string; columns: string[] }>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND a.atttypid <> 'xid8'::regtype
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relpersistence = 'p' AND c.relname <> 'migrations' GROUP BY 1 ORDER BY 1`,
  );

export async function sequencesOf({ select }: AllRows): Promise<Record<string, string>> {
  const rows = await select<{ name: string; next: string }>(
    `SELECT sequencename::text AS name, (COALESCE(last_value + increment_by, start_value))::text AS next
     FROM pg_sequences WHERE schemaname = 'public' AND sequencename NOT LIKE 'migrations_%' ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, next }) => [name, next]));
}

/** Undefined if there is none. */
export async function lastMigrationOf({ select }: AllRows): Promise<string | undefined> {
  const [there] = await select<{ there: boolean }>(`SELECT to_regclass('public.migrations') IS NOT NULL AS there`);
  if (!there?.there) return undefined;
  const [last] = await select<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp DESC, id DESC LIMIT 1');
  return last?.name;
}
