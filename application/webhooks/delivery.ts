import { AppError, invariant } from '../../domain/errors';
import { ATTEMPTS_MAX, attemptDueMs, RECEIVED_STATUS, RETRY_TRIGGERED } from '../../domain/webhooks';
import type { Database } from '../../entities/database';
import type { EventEntity } from '../../entities/events/event.entity';
import { eventStore } from '../../entities/events/event.store';
import { feedStore } from '../../entities/feed/feed.store';
import type { ItemPlace } from '../../entities/hash-chains/chain-store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { WebhookEntity } from '../../entities/webhooks/webhook.entity';
import { webhookStore } from '../../entities/webhooks/webhook.store';
import type { WebhookEventEntity } from '../../entities/webhooks/webhook-event.entity';
import { type BegunAttempt, type SettledAttempt, webhookEventStore } from '../../entities/webhooks/webhook-event.store';
import { newId } from '../../platform/ids';
import { reach } from '../../platform/points';
import type { SecretBox } from '../../platform/secret-box';
import { DELIVER_WEBHOOK } from '../../workflows/deliver-webhook.messages';
import { createSequencer, type Sequencer } from '../feed/sequencer';
import { createWebhookAttempts, type WebhookAttempts } from './attempts';
import { createSender, type SendOutcome } from './sending';

export type RetryOutcome = 'Delivered' | 'Failed' | 'Stopped';

/** The relay makes the first attempt. Workflows make the later attempts and the pings. */
export type Deliverer = {
  /**
   * Gives the event its place in the feed, and makes the first attempt at every webhook that subscribed to the event. After a
   * failed attempt, the outbox gets the start of a workflow for the later attempts.
   */
  readonly deliver: (orgId: string, eventId: string) => Promise<void>;
  /** Returns `Stopped` if the webhook has been disabled or deleted, or if the row of the first attempt has been removed. */
  readonly retry: (orgId: string, firstId: string, attempt: number) => Promise<RetryOutcome>;
  /** Sends a test event that is not recorded. Throws `NotFound`. */
  readonly ping: (orgId: string, webhookId: string) => Promise<SendOutcome>;
};

type Options = {
  readonly db: Database;
  /** Opens the secrets of webhooks with the data key, never with a key of the signer (S11). */
  readonly secrets: SecretBox;
  readonly allowLoopback: boolean;
  readonly timeoutMs?: number;
  /** By default created from `db`. */
  readonly attempts?: WebhookAttempts;
  /** By default created from `db`. */
  readonly sequencer?: Sequencer;
  /** Called after every attempt, for the metrics; must not throw. */
  readonly onAttempt?: ((attempt: AttemptMade) => void) | undefined;
};

/** `waitedMs` is the time from the event to the start of the attempt. */
export type AttemptMade = { readonly number: number; readonly status: string; readonly waitedMs: number };

type Subject = {
  readonly orgId: string;
  readonly webhook: WebhookEntity;
  readonly event: EventEntity;
  readonly place: ItemPlace | undefined;
};

type Means = {
  readonly send: ReturnType<typeof createSender>;
  readonly attempts: WebhookAttempts;
  readonly onAttempt: Options['onAttempt'];
};

/**
 * Returns whether the receiver confirmed the attempt. One database transaction records the result and the start of later
 * attempts.
 */
async function makeAttempt(
  { send, attempts, onAttempt }: Means,
  { orgId, webhook, event, place }: Subject,
  begun: BegunAttempt,
  number: number,
  first: First,
): Promise<boolean> {
  const waitedMs = Date.now() - event.dateCreated.getTime();
  const envelope = {
    id: begun.id,
    kind: event.kind,
    date: event.dateCreated.toISOString(),
    data: event.data,
    timestampSent: begun.timestampSent,
    deliveryAttempt: number,
    ...(first.id === begun.id ? {} : { retryOf: first.id }),
    version: event.aggregateVersion,
  };
  const sent = await send(webhook, envelope, place);
  onAttempt?.({ number, status: sent.status, waitedMs });
  const failed = sent.status !== String(RECEIVED_STATUS);
  const dueMs = failed ? attemptDueMs(first.dateCreated.getTime(), number + 1) : undefined;
  const nextAttemptDate = dueMs === undefined ? null : new Date(dueMs);
  const result = { id: begun.id, status: sent.status, error: sent.error ?? null, failed, nextAttemptDate };
  if (!failed || number > 1) {
    await attempts.settle(orgId, result, undefined);
    return !failed;
  }
  const workflow: Dispatch = {
    kind: 'start',
    aggregateId: begun.id,
    dedupeKey: `${DELIVER_WEBHOOK}:${begun.id}`,
    routing: retryRouting({ kind: event.kind, dateCreated: first.dateCreated }),
  };
  await attempts.settle(orgId, result, { workflow, event: retryEventOf({ webhook, event }, result) });
  return false;
}

export function createDeliverer(options: Options): Deliverer {
  const { db, secrets, allowLoopback, timeoutMs, onAttempt, attempts = createWebhookAttempts(db) } = options;
  const { sequencer = createSequencer(db) } = options;
  const send = createSender({ secrets, allowLoopback, timeoutMs });
  const means = { send, attempts, onAttempt };

  return {
    deliver: async (orgId, eventId) => {
      const [subscribed, place] = await Promise.all([attempts.subscribed(orgId, eventId), sequencer.placeOf(orgId, eventId)]);
      await reach('numbered');
      if (!subscribed) return;
      const { event, webhooks } = subscribed;
      const begun = await Promise.all(
        webhooks.map((webhook) => attempts.begin(orgId, { webhookId: webhook.id, event, number: 1, firstId: null })),
      );
      await Promise.all(
        begun.map(async (first, at) => {
          const webhook = webhooks[at];
          if (webhook && first.deliveryFailed === null)
            await makeAttempt(means, { orgId, webhook, event, place }, first, 1, first);
        }),
      );
    },

    retry: async (orgId, firstId, number) => {
      invariant(number > 1 && number <= ATTEMPTS_MAX, 'a retry is attempt 2 to 5');
      const reader = db.read(orgId);
      const first = await webhookEventStore.findRow(reader, firstId);
      // The row of the first attempt has been removed because of its age, so the delivery is no longer wanted.
      if (!first) return 'Stopped';
      const [webhook, event, [place]] = await Promise.all([
        webhookStore.find(reader, first.webhookId),
        eventStore.find(reader, first.eventId),
        feedStore.places(reader, [first.eventId]),
      ]);
      invariant(event, 'the event of an attempt exists');
      if (webhook?.status !== 'Enabled') {
        await db.withOrg(orgId, (tx) => webhookEventStore.giveUp(tx, first, number));
        return 'Stopped';
      }
      const begun = await attempts.begin(orgId, { webhookId: webhook.id, event, number, firstId });
      if (begun.deliveryFailed !== null) return begun.deliveryFailed ? 'Failed' : 'Delivered';
      return (await makeAttempt(means, { orgId, webhook, event, place }, begun, number, first)) ? 'Delivered' : 'Failed';
    },

    ping: async (orgId, webhookId) => {
      const webhook = await webhookStore.find(db.read(orgId), webhookId);
      if (!webhook) throw new AppError('NotFound', 'webhook not found', { webhookId });
      const now = new Date();
      return send(webhook, {
        id: newId('webhookEvent'),
        kind: 'webhook.ping',
        date: now.toISOString(),
        data: { webhook: { id: webhook.id, url: webhook.url } },
        timestampSent: Math.floor(now.getTime() / 1_000),
        deliveryAttempt: 1,
      });
    },
  };
}

/**
 * Announces the later attempts to the organisation's other webhooks. A failed announcement causes no further event. Otherwise a
 * failing receiver would cause events for ever.
 */
function retryEventOf({ webhook, event }: Pick<Subject, 'webhook' | 'event'>, { id, status, nextAttemptDate }: SettledAttempt) {
  if (event.kind === RETRY_TRIGGERED) return undefined;
  const webhookEvent = {
    id,
    webhookId: webhook.id,
    kind: event.kind,
    date: event.dateCreated.toISOString(),
    status,
    ...(nextAttemptDate === null ? {} : { nextAttemptDate: nextAttemptDate.toISOString() }),
  };
  return { kind: RETRY_TRIGGERED, aggregateId: id, aggregateVersion: 1, data: { webhookEvent } } as const;
}

export const retryRouting = ({ kind, dateCreated }: Pick<WebhookEventEntity, 'kind' | 'dateCreated'>): Dispatch['routing'] => ({
  workflow: DELIVER_WEBHOOK,
  firstAttempt: dateCreated.toISOString(),
  summary: `Deliver ${kind} again`,
});

type First = { readonly id: string; readonly dateCreated: Date };
