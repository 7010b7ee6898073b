import { shardOf } from '../domain/outbox';
import { newId } from '../platform/ids';
import type { BenchPostgres } from './postgres';

const EVENTS_PER_RECORD = 4;
const ROWS_PER_STATEMENT = 5_000;

type Rows = { readonly kind: 'event' | 'signal'; readonly orgIds: readonly string[]; readonly count: number };

/**
 * Inserts waiting outbox rows in the service's format, four per record, and an event for each row of the kind `event`. Each
 * statement inserts many rows, because single inserts would take minutes.
 */
export async function writeBacklog({ query }: BenchPostgres, { kind, orgIds, count }: Rows): Promise<void> {
  for (let written = 0; written < count; written += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - written) }, (_row, at) => {
      const record = Math.floor((written + at) / EVENTS_PER_RECORD);
      return {
        orgId: orgIds[record % orgIds.length],
        id: newId('outbox'),
        record,
        version: ((written + at) % EVENTS_PER_RECORD) + 1,
      };
    });
    const base = newId('transfer').slice(0, -8);
    const subject = (record: number) => `${base}${String(record).padStart(8, '0')}`;
    const shards = rows.map(({ record }) => shardOf(subject(record)));
    await query(
      `WITH rows AS (
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::integer[]) WITH ORDINALITY
           AS r (org_id, id, subject, version, shard, place)
       ), events AS (
         INSERT INTO events (org_id, id, kind, aggregate_id, aggregate_version, data)
         SELECT org_id, 'ev' || substr(id, 3), 'wallet.transfer.requested', subject, version,
           jsonb_build_object('transferRequest', jsonb_build_object('subject', subject, 'filler', repeat('x', 700)))
         FROM rows WHERE $6 = 'event'
       )
       INSERT INTO outbox (org_id, id, shard, kind, aggregate_id, dedupe_key, routing)
       SELECT org_id, id, shard, $6, subject, id, CASE WHEN $6 = 'event'
         THEN jsonb_build_object('eventId', 'ev' || substr(id, 3), 'eventKind', 'wallet.transfer.requested')
         ELSE jsonb_build_object('signal', 'approvalChanged') END
       FROM rows ORDER BY place`,
      [
        rows.map(({ orgId }) => orgId),
        rows.map(({ id }) => id),
        rows.map(({ record }) => subject(record)),
        rows.map(({ version }) => version),
        shards,
        kind,
      ],
    );
  }
  await query('ANALYZE outbox, events');
}

/** Inserts `count` organisations without any records, and returns their ids. */
export async function writeOrganizations({ query }: BenchPostgres, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId('organization'));
  await query(`INSERT INTO organizations (id, name) SELECT id, id FROM unnest($1::text[]) AS id`, [ids]);
  return ids;
}
