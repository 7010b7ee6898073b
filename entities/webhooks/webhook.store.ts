import { RETRY_TRIGGERED } from '../../domain/webhooks';
import type { Reader, Tx } from '../database';
import { WebhookEntity } from './webhook.entity';

export type WebhookChange = {
  readonly url?: string | undefined;
  readonly status?: WebhookEntity['status'] | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly string[] | undefined;
};

type NewWebhook = Required<Pick<WebhookEntity, 'url' | 'status' | 'description' | 'events'>> & { readonly sealedSecret: string };
type Subscription = { readonly eventId: string; readonly webhookId: string };
type Page = { readonly after: string | undefined; readonly limit: number };

export const webhookStore = {
  /** Counts the webhooks. A lock prevents the creation of further webhooks until the transaction ends. */
  async lockCount(tx: Tx): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks/${tx.orgId}`]);
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM webhooks WHERE org_id = $1 AND date_deleted IS NULL',
      [tx.orgId],
    );
    return row?.count ?? 0;
  },

  async insert(tx: Tx, id: string, webhook: NewWebhook): Promise<void> {
    await tx.insert(WebhookEntity, { orgId: tx.orgId, id, ...webhook });
  },

  async find(reader: Reader, id: string): Promise<WebhookEntity | undefined> {
    return reader.row(WebhookEntity, 'WHERE t.id = $1 AND t.date_deleted IS NULL', [id]);
  },

  /** Newest first, plus one row if there is a next page. */
  async list(reader: Reader, { after, limit }: Page): Promise<WebhookEntity[]> {
    const tail = `WHERE t.date_deleted IS NULL AND ($1::text IS NULL OR t.id < $1 COLLATE "C") ORDER BY t.id DESC LIMIT $2`;
    return reader.rows(WebhookEntity, tail, [after ?? null, limit + 1]);
  },

  /** Returns false if the webhook does not exist. */
  async update(tx: Tx, id: string, { url, status, description, events }: WebhookChange): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE webhooks SET url = coalesce($3, url), status = coalesce($4, status), description = coalesce($5, description),
         events = coalesce($6::jsonb, events), date_updated = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND date_deleted IS NULL RETURNING id`,
      [tx.orgId, id, url ?? null, status ?? null, description ?? null, events ? JSON.stringify(events) : null],
    );
    return changed.length > 0;
  },

  async markDeleted(tx: Tx, id: string): Promise<boolean> {
    const deleted = await tx.query(
      `UPDATE webhooks SET date_deleted = clock_timestamp() WHERE org_id = $1 AND id = $2 AND date_deleted IS NULL RETURNING id`,
      [tx.orgId, id],
    );
    return deleted.length > 0;
  },

  /**
   * Enabled webhooks that are older than the event and subscribe to its kind. A webhook does not receive events about its own
   * retries, because a failing webhook would otherwise receive twice as many events.
   */
  async subscriptions(reader: Reader, eventIds: readonly string[]): Promise<Subscription[]> {
    return reader.select(
      `SELECT e.id AS "eventId", t.id AS "webhookId" FROM webhooks t JOIN events e ON e.org_id = t.org_id AND e.id = ANY ($1)
       WHERE t.status = 'Enabled' AND t.date_deleted IS NULL AND t.date_created <= e.date_created
         AND t.events ?| ARRAY['*', e.kind] AND (e.kind <> $2 OR e.data #>> '{webhookEvent,webhookId}' <> t.id) ORDER BY t.id`,
      [eventIds, RETRY_TRIGGERED],
    );
  },

  findAll: (reader: Reader, ids: readonly string[]): Promise<WebhookEntity[]> =>
    reader.rows(WebhookEntity, 'WHERE t.id = ANY ($1) AND t.date_deleted IS NULL', [ids]),
};
