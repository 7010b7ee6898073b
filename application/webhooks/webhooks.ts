import { randomBytes } from 'node:crypto';
import { AppError } from '../../domain/errors';
import { unproducedAmong } from '../../domain/events';
import { isId } from '../../domain/ids';
import { WEBHOOKS_MAX } from '../../domain/webhooks';
import type { Reader } from '../../entities/database';
import type { WebhookEntity } from '../../entities/webhooks/webhook.entity';
import { type WebhookChange, webhookStore } from '../../entities/webhooks/webhook.store';
import { webhookEventStore } from '../../entities/webhooks/webhook-event.store';
import { refusalOf } from '../../platform/guarded-fetch';
import { newId } from '../../platform/ids';
import { PING_WEBHOOK, type PingWebhookResult } from '../../workflows/ping-webhook.messages';
import type { Services } from '../services';
import { type Authority, act, warn } from '../user-actions/act';
import { secretContext } from './sending';
import { webhookEventView, webhookView } from './view';

/** A ping waits for a worker, and then for up to five seconds for the receiver. */
const PING_LIMIT_MS = 12_000;
const SECRET_BYTES = 32;

type NewWebhook = {
  readonly url: string;
  readonly status: WebhookEntity['status'];
  readonly description?: string | undefined;
  readonly events: readonly string[];
};

const notFound = (webhookId: string) => new AppError('NotFound', 'webhook not found', { webhookId });

/**
 * Refuses addresses to which no delivery can go. Each delivery checks its address when the connection is opened, because the
 * host name is resolved only then.
 */
function assertPossibleTarget({ webhookTargets }: Services, url: string): void {
  const refusal = refusalOf(new URL(url), webhookTargets);
  if (refusal !== undefined)
    throw new AppError('WebhookTargetRefused', `the webhook address is refused: ${refusal}`, { url: refusal });
}

/** Only this response contains the webhook's secret. Throws `WebhookLimitReached` and `WebhookTargetRefused`. */
export async function createWebhook(services: Services, authority: Authority, webhook: NewWebhook) {
  const { db, webhookSecrets } = services;
  assertPossibleTarget(services, webhook.url);
  const id = newId('webhook');
  const secret = `whs-${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const row = await act(db, authority, async (tx) => {
    if ((await webhookStore.lockCount(tx)) >= WEBHOOKS_MAX) {
      throw new AppError('WebhookLimitReached', `an organisation has at most ${WEBHOOKS_MAX} webhooks`, { limit: WEBHOOKS_MAX });
    }
    const sealedSecret = webhookSecrets.seal(secret, secretContext(tx.orgId, id));
    await webhookStore.insert(tx, id, { ...webhook, description: webhook.description ?? null, sealedSecret });
    return find(tx, id);
  });
  warnOfSilence(authority, webhook.events);
  return { ...webhookView(row), secret };
}

/**
 * Warns the caller about event kinds that this release does not emit. The subscription is accepted, because a later release may
 * emit these kinds.
 */
function warnOfSilence({ action }: Authority, events: readonly string[]): void {
  const kinds = unproducedAmong(events);
  if (kinds.length > 0) warn(action, `EventsNotProduced: ${kinds.join(' ')}`);
}

export async function getWebhook(reader: Reader, webhookId: string) {
  return webhookView(await find(reader, webhookId));
}

/** Throws `NotFound` and `WebhookTargetRefused`. */
export async function updateWebhook(services: Services, authority: Authority, webhookId: string, change: WebhookChange) {
  if (change.url !== undefined) assertPossibleTarget(services, change.url);
  const row = await act(services.db, authority, async (tx) => {
    if (!(await webhookStore.update(tx, webhookId, change))) throw notFound(webhookId);
    return find(tx, webhookId);
  });
  warnOfSilence(authority, change.events ?? []);
  return webhookView(row);
}

/** The webhook and its events can no longer be found, and nothing more is sent. */
export async function deleteWebhook({ db }: Services, authority: Authority, webhookId: string): Promise<void> {
  await act(db, authority, async (tx) => {
    if (!(await webhookStore.markDeleted(tx, webhookId))) throw notFound(webhookId);
  });
}

/** Sends a test event that is not recorded, even to a disabled webhook. Throws `NotFound` and `NotReady`. */
export async function pingWebhook(
  { db, dispatcher }: Services,
  authority: Authority,
  webhookId: string,
): Promise<PingWebhookResult> {
  await act(db, authority, (tx) => find(tx, webhookId));
  return dispatcher.execute<PingWebhookResult>(authority.caller.orgId, {
    workflow: PING_WEBHOOK,
    id: newId('webhookEvent'),
    routing: { webhookId, summary: 'Send a test event to a webhook' },
    limitMs: PING_LIMIT_MS,
  });
}

type EventFilter = Parameters<typeof webhookEventStore.list>[2];

/** Newest first. If there is a next page, returns one row more than the limit. */
export async function listWebhookEvents(reader: Reader, webhookId: string, filter: EventFilter) {
  await find(reader, webhookId);
  return webhookEventStore.list(reader, webhookId, filter);
}

export async function getWebhookEvent(reader: Reader, webhookId: string, webhookEventId: string) {
  await find(reader, webhookId);
  const event = isId('webhookEvent', webhookEventId)
    ? await webhookEventStore.find(reader, webhookId, webhookEventId)
    : undefined;
  if (!event) throw new AppError('NotFound', 'webhook event not found', { webhookId, webhookEventId });
  return webhookEventView(event);
}

async function find(reader: Reader, webhookId: string): Promise<WebhookEntity> {
  const row = isId('webhook', webhookId) ? await webhookStore.find(reader, webhookId) : undefined;
  if (!row) throw notFound(webhookId);
  return row;
}
