import type { Client } from 'pg';
import { asSuperuser } from '../support/roles';

/** Counters that every request may increase. Snapshots ignore these tables. */
const COUNTERS = ['rate_limits', 'lockouts'];

/** A digest of the rows of every other table. Equal snapshots mean that none of these tables has changed. */
export function snapshotOf(database: string): Promise<Readonly<Record<string, string>>> {
  return asSuperuser(async (client: Client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
       ORDER BY 1`,
      [COUNTERS],
    );
    const digests = rows.map(
      ({ name }) => `(SELECT count(*) || ':' || coalesce(md5(string_agg(t::text, '\n' ORDER BY t::text)), '') FROM "${name}" t)`,
    );
    const columns = digests.map((digest, at) => `${digest} AS "${rows[at]?.name}"`).join(', ');
    return (await client.query<Record<string, string>>(`SELECT ${columns}`)).rows[0] ?? {};
  }, database);
}
