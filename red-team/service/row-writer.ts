import { shardOf } from '../../domain/outbox';
import { newId } from '../../platform/ids';

export type Row = Readonly<Record<string, never>>;
export type Run = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Writes rows directly into the database. `run` runs a statement as a role of the service, for this organisation. */
export function rowWriter(run: Run, orgId: string) {
  /** Inserts a copy of an existing row with these columns changed. Postgres computes the generated columns. */
  const copy = async (table: string, from: string, set: Readonly<Record<string, unknown>>): Promise<void> => {
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
  return { run, copy, dispatch };
}
export type RowWriter = ReturnType<typeof rowWriter>;
