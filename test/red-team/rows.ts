import { generateKeyPairSync } from 'node:crypto';
import { shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';
import { createKeyCredential } from '../support/key-credentials';
import type { DatabaseRole, Installation, Person } from './installation';

/** Writes rows directly into the database, as a role of the service. */
export type Rows = ReturnType<typeof createRows>;

export function createRows(installation: Installation, role: DatabaseRole, orgId: string) {
  const run = (sql: string, values: readonly unknown[] = []) => installation.as(role, orgId, sql, values);

  /** Inserts a copy of another row with these columns changed. Postgres computes the generated columns. */
  const copy = async (table: string, from: string, set: Readonly<Record<string, unknown>>) => {
    const columns = await run(
      `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
      [table],
    );
    const list: string = columns[0]?.['list'] ?? '';
    await run(
      `INSERT INTO ${table} (${list}) SELECT ${list} FROM jsonb_populate_record(NULL::${table},
         (SELECT to_jsonb(one) FROM ${table} one WHERE ${from}) || $1::jsonb)`,
      [JSON.stringify(set)],
    );
  };

  /** Makes the relay start or wake a workflow. */
  const dispatch = (kind: 'start' | 'signal', aggregateId: string, routing: Readonly<Record<string, string>>) =>
    run(`INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing) VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
      orgId,
      newId('outbox'),
      shardOf(aggregateId),
      kind,
      aggregateId,
      newId('outbox'),
      JSON.stringify(routing),
    ]);

  return {
    run,
    copy,
    dispatch,
    /** Adds a key of the attacker to a user's credentials, with the date of the user's own credential. */
    credential: async ({ userId }: Person) => {
      const keys = generateKeyPairSync('ed25519');
      const key = createKeyCredential('Key', keys);
      const set = { id: newId('credential'), credential_id: key.credId, public_key: key.publicKeyPem };
      await copy('credentials', `user_id = '${userId}' AND is_active LIMIT 1`, set);
      return { key, privateKey: keys.privateKey };
    },
  };
}
