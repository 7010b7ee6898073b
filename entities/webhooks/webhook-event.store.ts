import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../literals';
import { WebhookEventEntity } from './webhook-event.entity';

/** One attempt at one event for one webhook. The first attempt's id is the `retryOf` of the later ones. */
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
  /** Null while no answer is known: such an attempt is sent again under the same id. */
  readonly deliveryFailed: boolean | null;
};

export type AttemptResult = {
  readonly status: string;
  readonly error: string | null;
  readonly failed: boolean;
  readonly nextAttemptDate: Date | null;
};

export type StoredWebhookEvent = WebhookEventEntity & { readonly date: Date; readonly data: Readonly<Record<string, unknown>> };

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
   * Writes the attempt before it is sent, or answers the one that a crash left behind, stamped anew unless its result is
   * known already.
   */
  async begin(tx: Tx, { webhookId, event, number, firstId }: Attempt): Promise<BegunAttempt> {
    const [row] = await tx.query<BegunAttempt>(
      `INSERT INTO webhook_events AS w
         (org_id, id, webhook_id, event_id, kind, delivery_attempt, retry_of, status, timestamp_sent)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'Pending', extract(epoch FROM clock_timestamp())::bigint)
       ON CONFLICT (org_id, webhook_id, event_id, delivery_attempt) DO UPDATE SET timestamp_sent =
         CASE WHEN w.delivery_failed IS NULL THEN excluded.timestamp_sent ELSE w.timestamp_sent END
       RETURNING id, timestamp_sent::float8 AS "timestampSent", date_created AS "dateCreated", delivery_failed AS "deliveryFailed"`,
      [tx.orgId, newId('webhookEvent'), webhookId, event.id, event.kind, number, firstId],
    );
    return row as BegunAttempt;
  },

  /** Records the result once; answers false when another process was first. */
  async settle(tx: Tx, id: string, { status, error, failed, nextAttemptDate }: AttemptResult): Promise<boolean> {
    const settled = await tx.query(
      `UPDATE webhook_events SET status = $3, error = $4, delivery_failed = $5, next_attempt_date = $6
       WHERE org_id = $1 AND id = $2 AND delivery_failed IS NULL RETURNING id`,
      [tx.orgId, id, status, error, failed, nextAttemptDate],
    );
    return settled.length > 0;
  },

  /** Nothing will follow this attempt, nor be sent for one after it that a crash left without a result. */
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

  /** Newest first, one more than the limit where there are more. */
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
