import type { EventKind } from '../../domain/events';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { outboxStore } from '../outbox/outbox.store';
import { inIndexOrder } from '../read-message';
import { EventEntity } from './event.entity';

export type NewEvent = {
  readonly kind: EventKind;
  readonly aggregateId: string;
  /** The version after the change. A receiver orders the events of one object by this number (S14). */
  readonly aggregateVersion: number;
  /** The body of the event as the API returns it. The body never changes. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** The period includes both ends. Events after `asOf` are left out. */
export type EventPeriod = { readonly startTime: Date; readonly endTime: Date; readonly asOf: Date };
/** The place of a row in the order of the list. */
export type EventCursor = Pick<EventEntity, 'dateCreated' | 'id'>;

export const eventStore = {
  /** Must be called in the same transaction as the change that the event reports. */
  async emit(tx: Tx, event: NewEvent): Promise<string> {
    const [id = ''] = await eventStore.emitAll(tx, [event]);
    return id;
  },

  /** Does the same as `emit` for each event, in the given order. Returns the ids. */
  async emitAll(tx: Tx, events: readonly NewEvent[]): Promise<readonly string[]> {
    if (events.length === 0) return [];
    const rows = events.map((event) => ({ id: newId('event'), ...event }));
    await tx.run(
      `INSERT INTO events (org_id, id, kind, aggregate_id, aggregate_version, data)
       SELECT $1, r.id, r.kind, r."aggregateId", r."aggregateVersion", r.data
       FROM jsonb_to_recordset($2::jsonb) AS r (id text, kind text, "aggregateId" text, "aggregateVersion" integer, data jsonb)`,
      [tx.orgId, JSON.stringify(rows)],
    );
    await outboxStore.addAll(
      tx,
      rows.map(({ id, kind, aggregateId }) => ({
        ...{ kind: 'event', aggregateId, dedupeKey: id },
        routing: { eventId: id, eventKind: kind },
      })),
    );
    return rows.map(({ id }) => id);
  },

  async find(reader: Reader, eventId: string): Promise<EventEntity | undefined> {
    return reader.row(EventEntity, 'WHERE id = $1', [eventId]);
  },

  findAll: (reader: Reader, eventIds: readonly string[]): Promise<EventEntity[]> =>
    reader.rows(EventEntity, 'WHERE t.id = ANY ($1)', [eventIds]),

  /** Oldest first. A page begins after the row of the cursor. */
  page: (reader: Reader, period: EventPeriod, after: EventCursor | undefined, rowsMax: number): Promise<EventEntity[]> =>
    inIndexOrder(reader, () => reader.rows(EventEntity, WITHIN, [...boundsOf(period, after), rowsMax])),

  /** Counts the events after the row of the cursor, up to `rowsMax`. */
  async count(reader: Reader, period: EventPeriod, after: EventCursor | undefined, rowsMax: number): Promise<number> {
    const sql = `SELECT count(*)::int AS rows FROM (SELECT 1 FROM events t ${WITHIN}) found`;
    const [found] = await inIndexOrder(reader, () => reader.select<{ rows: number }>(sql, [...boundsOf(period, after), rowsMax]));
    return found?.rows ?? 0;
  },
};

const WITHIN = `WHERE (t.date_created, t.id) > ($1, $2 COLLATE "C") AND t.date_created <= $3
  ORDER BY t.date_created, t.id LIMIT $4`;

const boundsOf = ({ startTime, endTime, asOf }: EventPeriod, after: EventCursor | undefined) => [
  after?.dateCreated ?? startTime,
  after?.id ?? '',
  endTime < asOf ? endTime : asOf,
];
