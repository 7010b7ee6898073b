import { Client } from 'pg';
import { type AllRows, lastMigrationOf, rowsOver, type TableShape, tablesOf } from './all-rows';
import { ALL_ROWS } from './permit';

const CONNECT_TIMEOUT_MS = 10_000;

export type Loader = {
  /** Each line is one row as a JSON object, by column name. */
  readonly add: (table: TableShape, lines: readonly string[]) => Promise<void>;
  readonly setSequences: (next: Readonly<Record<string, string>>) => Promise<void>;
};

type Work = {
  readonly fill: (loader: Loader) => Promise<void>;
  /** Runs after all constraints of the tables are in force again. An error rolls everything back. */
  readonly check: (rows: AllRows) => Promise<void>;
  readonly reason: string;
};

/**
 * Fills an empty schema as the owner role and freezes the deployment. One transaction covers all steps, so a failure leaves the
 * schema empty. The foreign keys are dropped before the rows are inserted and then created again, so Postgres checks all rows.
 */
export async function loadRows(ownerUrl: string, { fill, check, reason }: Work): Promise<void> {
  const client = new Client({
    connectionString: ownerUrl,
    application_name: 'strongroom-operator',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = 'on'`);
    const restoreRules = await setRulesAside(client);
    await fill(loaderOver(client));
    await restoreRules();
    await freezeAsRestored(client, reason);
    await client.query(ALL_ROWS);
    await check(rowsOver(client));
    await client.query('SELECT 1; COMMIT');
  } finally {
    await client.end(); // Without a COMMIT, the server rolls everything back.
  }
}

/**
 * If the archive is from an older release, its schema might lack the column `freeze_kind`. A later migration adds the column, and
 * recognises a restore by the reason of the freeze.
 */
async function freezeAsRestored(client: Client, reason: string): Promise<void> {
  const deployment = (await tablesOf(rowsOver(client))).find(({ name }) => name === 'deployment');
  const kind = deployment?.columns.includes('freeze_kind') ? `, freeze_kind = 'Restored'` : '';
  await client.query(`UPDATE deployment SET date_frozen = clock_timestamp(), reason = $1${kind}`, [reason]);
}

/**
 * Drops the foreign keys, and disables the triggers and row-level security for the owner. Also deletes the rows that migrations
 * have inserted. The returned function restores foreign keys, triggers and row-level security.
 */
async function setRulesAside(client: Client): Promise<() => Promise<void>> {
  const name = (text: string) => client.escapeIdentifier(text);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace AND k.conparentid = 0 ORDER BY 1, 2`,
  );
  const { rows: forced } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity ORDER BY 1`,
  );
  const tables = await tablesOf(rowsOver(client));
  for (const { table, name: key } of keys) await client.query(`ALTER TABLE ${name(table)} DROP CONSTRAINT ${name(key)}`);
  for (const table of forced) await client.query(`ALTER TABLE ${name(table.name)} NO FORCE ROW LEVEL SECURITY`);
  // Row-level security is not forced here, so this query sees every row.
  const { rows: found } = await client.query('SELECT FROM organizations LIMIT 1');
  if (found.length > 0) throw new Error('The database is not empty');
  for (const table of tables) {
    await client.query(`ALTER TABLE ${name(table.name)} DISABLE TRIGGER USER`);
    await client.query(`DELETE FROM ${name(table.name)}`);
  }
  return async () => {
    for (const table of tables) await client.query(`ALTER TABLE ${name(table.name)} ENABLE TRIGGER USER`);
    for (const table of forced) await client.query(`ALTER TABLE ${name(table.name)} FORCE ROW LEVEL SECURITY`);
    for (const { table, name: key, definition } of keys) {
      await client.query(`ALTER TABLE ${name(table)} ADD CONSTRAINT ${name(key)} ${definition}`);
    }
  };
}

function loaderOver(client: Client): Loader {
  return {
    async add({ name, columns }, lines) {
      const table = client.escapeIdentifier(name);
      const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
      await client.query(
        `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)`,
        [`[${lines.join(',')}]`],
      );
    },
    async setSequences(next) {
      for (const [name, value] of Object.entries(next)) {
        await client.query('SELECT setval(to_regclass($1), $2::bigint, false)', [
          `public.${client.escapeIdentifier(name)}`,
          value,
        ]);
      }
    },
  };
}

export type Holdings = {
  /** Undefined if there is no schema. */
  readonly schema: string | undefined;
  readonly organizations: number;
  readonly deployment: string | undefined;
};

/** These facts decide whether a restore may begin. */
export async function holdingsOf(ownerUrl: string): Promise<Holdings> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(ALL_ROWS);
    const rows = rowsOver(client);
    const schema = await lastMigrationOf(rows);
    if (schema === undefined) return { schema, organizations: 0, deployment: undefined };
    const [counted] = await rows.select<{ n: number }>('SELECT count(*)::integer AS n FROM organizations');
    const [there] = await rows.select<{ there: boolean }>(`SELECT to_regclass('public.deployment') IS NOT NULL AS there`);
    const [named] = there?.there ? await rows.select<{ id: string }>('SELECT id FROM deployment') : [];
    return { schema, organizations: counted?.n ?? 0, deployment: named?.id };
  } finally {
    await client.end();
  }
}
