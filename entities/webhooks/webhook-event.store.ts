import { invariant } from '../../domain/errors';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../read-message';
import { WebhookEventEntity } from './webhook-event.entity';

/** In later attempts, `retryOf` contains the first attempt's id. */
export type Attempt = {
  readonly webhookId: string;
  readonly event: { readonly id: string; readonly kind: string };
  readonly number: number;
  readonly firstId: string | null;
};

export type BegunAttempt = {
  readonly id: string;
  readonly timestampSent: number;
  readonly dateCreated: Date;
  /** Null until the result is known. Until then, a delivery with the same id may be sent again. */
  readonly deliveryFailed: boolean | null;
};

export type AttemptResult = {
  readonly status: string;
  readonly error: string | null;
  readonly failed: boolean;
  readonly nextAttemptDate: Date | null;
};

export type SettledAttempt = AttemptResult & { readonly id: string };
export type StoredWebhookEvent = WebhookEventEntity & { readonly date: Date; readonly data: Readonly<Record<string, unknown>> };

type Subject = { readonly webhookId: string; readonly eventId: string; readonly number: number };
const subjectKey = ({ webhookId, eventId, number }: Subject) => `${webhookId}/${eventId}/${number}`;

type Filter = {
  readonly kind: string | undefined;
  readonly deliveryFailed: boolean | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

const COLUMNS = `w.id, w.webhook_id AS "webhookId", w.event_id AS "eventId", w.kind, w.delivery_attempt AS "deliveryAttempt",
  w.retry_of AS "retryOf", w.status, w.error, w.delivery_failed AS "deliveryFailed", w.next_attempt_date AS "nextAttemptDate",
  w.timestamp_sent AS "timestampSent", w.date_created AS "dateCreated", e.date_created AS "date", e.data`;
const FROM = 'FROM webhook_events w JOIN events e ON e.org_id = w.org_id AND e.id = w.event_id';

export const webhookEventStore = {
  /**
   * Returns the row of each attempt, in the order of `attempts`. An attempt that a crash interrupted keeps its row. Such a row
   * gets a new `timestampSent` if the attempt has no result yet.
   */
  async begin(tx: Tx, attempts: readonly Attempt[]): Promise<BegunAttempt[]> {
    const rows = await tx.query<BegunAttempt & Subject>(
      `INSERT INTO webhook_events AS w
         (org_id, id, webhook_id, event_id, kind, delivery_attempt, retry_of, status, timestamp_sent)
       SELECT $1, a.id, a.webhook_id, a.event_id, a.kind, a.number, a.first_id, 'Pending',
         extract(epoch FROM clock_timestamp())::bigint
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[])
         AS a (id, webhook_id, event_id, kind, number, first_id)
       ON CONFLICT (org_id, webhook_id, event_id, delivery_attempt) DO UPDATE SET timestamp_sent =
         CASE WHEN w.delivery_failed IS NULL THEN excluded.timestamp_sent ELSE w.timestamp_sent END
       RETURNING id, timestamp_sent::float8 AS "timestampSent", date_created AS "dateCreated",
         delivery_failed AS "deliveryFailed", webhook_id AS "webhookId", event_id AS "eventId", delivery_attempt AS number`,
      [
        tx.orgId,
        attempts.map(() => newId('webhookEvent')),
        attempts.map(({ webhookId }) => webhookId),
        attempts.map(({ event }) => event.id),
        attempts.map(({ event }) => event.kind),
        attempts.map(({ number }) => number),
        attempts.map(({ firstId }) => firstId),
      ],
    );
    const bySubject = new Map(rows.map((row) => [subjectKey(row), row]));
    return attempts.map(({ webhookId, event, number }) => {
      const row = bySubject.get(subjectKey({ webhookId, eventId: event.id, number }));
      invariant(row, 'every attempt has a row');
      return row;
    });
  },

  /** Returns false if another process has already recorded a result. */
  async settle(tx: Tx, id: string, result: AttemptResult): Promise<boolean> {
    return (await webhookEventStore.settleAll(tx, [{ id, ...result }])).has(id);
  },

  /** Returns the ids of the attempts for which no result was recorded before. */
  async settleAll(tx: Tx, results: readonly SettledAttempt[]): Promise<ReadonlySet<string>> {
    const settled = await tx.query<{ id: string }>(
      `UPDATE webhook_events w
       SET status = r.status, error = r.error, delivery_failed = r.failed, next_attempt_date = r.next_attempt_date
       FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::timestamptz[])
         AS r (id, status, error, failed, next_attempt_date)
       WHERE w.org_id = $1 AND w.id = r.id AND w.delivery_failed IS NULL RETURNING w.id`,
      [
        tx.orgId,
        results.map(({ id }) => id),
        results.map(({ status }) => status),
        results.map(({ error }) => error),
        results.map(({ failed }) => failed),
        results.map(({ nextAttemptDate }) => nextAttemptDate),
      ],
    );
    return new Set(settled.map(({ id }) => id));
  },

  /**
   * Ends a delivery. `last` is the number of the latest attempt of the delivery. An attempt that a crash left without a result
   * is not sent again.
   */
  async giveUp(tx: Tx, { webhookId, eventId, deliveryAttempt }: WebhookEventEntity, last: number): Promise<void> {
    await tx.query(
      `UPDATE webhook_events SET next_attempt_date = NULL, delivery_failed = true,
         status = CASE WHEN delivery_failed IS NULL THEN 'Interrupted' ELSE status END
       WHERE org_id = $1 AND webhook_id = $2 AND event_id = $3 AND delivery_attempt BETWEEN $4 AND $5
         AND delivery_failed IS DISTINCT FROM false`,
      [tx.orgId, webhookId, eventId, Math.max(deliveryAttempt, last - 1), last],
    );
  },

  async findRow(reader: Reader, id: string): Promise<WebhookEventEntity | undefined> {
    return reader.row(WebhookEventEntity, 'WHERE t.id = $1', [id]);
  },

  async find(reader: Reader, webhookId: string, id: string): Promise<StoredWebhookEvent | undefined> {
    const sql = `SELECT ${COLUMNS} ${FROM} WHERE w.webhook_id = $1 AND w.id = $2`;
    return (await reader.select<StoredWebhookEvent>(sql, [webhookId, id]))[0];
  },

  /** Newest first, plus one row if there is a next page. */
  async list(reader: Reader, webhookId: string, { kind, deliveryFailed, after, limit }: Filter): Promise<StoredWebhookEvent[]> {
    const values: SqlValue[] = [webhookId, limit + 1];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const where = [
      'w.webhook_id = $1',
      ...(kind === undefined ? [] : [`w.kind = ${place(kind)}`]),
      ...(deliveryFailed === undefined ? [] : [`coalesce(w.delivery_failed, false) = ${place(deliveryFailed)}`]),
      ...(after === undefined ? [] : [`w.id < ${place(after)} COLLATE "C"`]),
    ];
    return reader.select(`SELECT ${COLUMNS} ${FROM} WHERE ${where.join(' AND ')} ORDER BY w.id DESC LIMIT $2`, values);
  },
};
