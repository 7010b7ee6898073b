import type { Client } from 'pg';

/**
 * The setting with which the owner role sees every row. The setting does not protect the rows, because the owner could change the
 * schema anyway; it shows which transactions of the owner read every row.
 */
export const ALL_ROWS = `SELECT set_config('strongroom.all_rows', 'on', true)`;

/** Connections to this address see every row from the start. */
export function allRowsUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.searchParams.set('options', '-c strongroom.all_rows=on');
  return url.href;
}

const WITHOUT_POLICY = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'of_owner') ORDER BY 1`;

/**
 * Lets the owner role read the rows of all organisations in a transaction that has set `strongroom.all_rows`. Backups and
 * reconciliations need whole tables, but forced row-level security shows the owner no rows.
 */
export async function permitOwnerToRead(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(WITHOUT_POLICY);
  for (const { name } of rows) {
    await client.query(`CREATE POLICY of_owner ON ${client.escapeIdentifier(name)} FOR SELECT TO CURRENT_USER
      USING (current_setting('strongroom.all_rows', true) = 'on')`);
  }
}
