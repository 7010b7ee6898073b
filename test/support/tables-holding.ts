import type { Client } from 'pg';
import { asSuperuser } from './roles';

/** The tables with a row that contains this text in any column. The superuser reads all tables. */
export function tablesHolding(database: string, text: string): Promise<readonly string[]> {
  return asSuperuser(async (client: Client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    );
    const holding: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await client.query(`SELECT 1 FROM "${name}" t WHERE position($1 in t::text) > 0 LIMIT 1`, [text]);
      if ((rowCount ?? 0) > 0) holding.push(name);
    }
    return holding;
  }, database);
}
