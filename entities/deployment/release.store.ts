import type { Client } from 'pg';
import { asOwner } from './as-owner';

/** `release` is the release that `keep` recorded last. */
export type SchemaState = {
  /** Empty if there is no schema. */
  readonly changes: readonly string[];
  /** Null if no release was recorded yet. */
  readonly release: string | null;
};

/** The schema might be missing, or an earlier release might have created it. */
export async function schemaState(client: Client): Promise<SchemaState> {
  const { rows: there } = await client.query<{ has: boolean; keeps: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS has, EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = to_regclass('public.deployment') AND attname = 'release' AND NOT attisdropped) AS keeps`,
  );
  if (!there[0]?.has) return { changes: [], release: null };
  const { rows: changes } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const { rows } = there[0].keeps
    ? await client.query<{ release: string | null }>('SELECT release FROM deployment')
    : { rows: [] };
  return { changes: changes.map(({ name }) => name), release: rows[0]?.release ?? null };
}

export const releaseStore = {
  find: (ownerUrl: string): Promise<SchemaState> => asOwner(ownerUrl, schemaState),

  /**
   * Records the release after each run of the upgrade, even if no migration was missing. Records nothing if the schema has a
   * migration that is not in `known`, because a newer release has upgraded the schema.
   */
  keep: (ownerUrl: string, release: string, known: readonly string[]): Promise<void> =>
    asOwner(ownerUrl, async (client) => {
      const isOurs = 'NOT EXISTS (SELECT FROM migrations WHERE name <> ALL ($2::text[]))';
      await client.query(`UPDATE deployment SET release = $1 WHERE release IS DISTINCT FROM $1 AND ${isOurs}`, [
        release,
        [...known],
      ]);
    }),
};
