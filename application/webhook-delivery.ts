import { AppError, invariant } from '../domain/errors';
import { ATTEMPTS_MAX, attemptDueMs, RECEIVED_STATUS } from '../domain/webhooks';
import type { Database } from '../entities/database';
import type { EventEntity } from '../entities/events/event.entity';
import { eventStore } from '../entities/events/event.store';
import { outboxStore } from '../entities/outbox/outbox.store';
import type { WebhookEntity } from '../entities/webhooks/webhook.entity';
import { webhookStore } from '../entities/webhooks/webhook.store';
import { type BegunAttempt, webhookEventStore } from '../entities/webhooks/webhook-event.store';
import { newId } from '../platform/ids';
import type { SecretBox } from '../platform/secret-box';
import { DELIVER_WEBHOOK } from '../workflows/deliver-webhook.messages';
import { createSender, type Sent } from './webhook-sending';

export type RetryOutcome = 'Delivered' | 'Failed' | 'Stopped';

/** Brings events to webhooks: the first attempt for the relay, the later ones and the ping for workflows. */
export type Deliverer = {
  /** First attempt at every webhook that asked for the event; a failed one leaves a workflow for the next in the outbox. */
  readonly deliver: (orgId: string, eventId: string) => Promise<void>;
  /** A later attempt. `Stopped` when the webhook is disabled or deleted at this time. */
  readonly retry: (orgId: string, firstId: string, attempt: number) => Promise<RetryOutcome>;
  /** Sends a test event that is recorded nowhere. Throws `NotFound` for a webhook that is not there. */
  readonly ping: (orgId: string, webhookId: string) => Promise<Sent>;
};

type Options = {
  readonly db: Database;
  /** Opens webhook secrets; the data key's box, never the signer's (S11). */
  readonly secrets: SecretBox;
  readonly allowLoopback: boolean;
  readonly timeoutMs?: number;
  /** Told of every attempt that was made, for the metrics; it must not throw. */
  readonly onAttempt?: ((attempt: AttemptMade) => void) | undefined;
};

/** `status` is that of `Sent`; `waitedMs` is the time from the event to the beginning of the attempt. */
export type AttemptMade = { readonly number: number; readonly status: string; readonly waitedMs: number };

/** What an attempt is about: the body of every attempt says the same of it. */
type Subject = { readonly orgId: string; readonly webhook: WebhookEntity; readonly event: EventEntity };

export function createDeliverer({ db, secrets, allowLoopback, timeoutMs, onAttempt }: Options): Deliverer {
  const send = createSender({ secrets, allowLoopback, timeoutMs });

  /** Sends what was begun and records the result with what follows from it, in one transaction. */
  const attempt = async (
    { orgId, webhook, event }: Subject,
    begun: BegunAttempt,
    number: number,
    first: First,
  ): Promise<boolean> => {
    const waitedMs = Date.now() - event.dateCreated.getTime();
    const sent = await send(webhook, {
      id: begun.id,
      kind: event.kind,
      date: event.dateCreated.toISOString(),
      data: event.data,
      timestampSent: begun.timestampSent,
      deliveryAttempt: number,
      ...(first.id === begun.id ? {} : { retryOf: first.id }),
      version: event.aggregateVersion,
    });
    onAttempt?.({ number, status: sent.status, waitedMs });
    const failed = sent.status !== String(RECEIVED_STATUS);
    const dueMs = failed ? attemptDueMs(first.dateCreated.getTime(), number + 1) : undefined;
    const nextAttemptDate = dueMs === undefined ? null : new Date(dueMs);
    await db.withOrg(orgId, async (tx) => {
      const result = { status: sent.status, error: sent.error ?? null, failed, nextAttemptDate };
      const isOurs = await webhookEventStore.settle(tx, begun.id, result);
      if (!isOurs || !failed || number > 1) return;
      await outboxStore.add(tx, {
        kind: 'start',
        aggregateId: begun.id,
        dedupeKey: `${DELIVER_WEBHOOK}:${begun.id}`,
        routing: {
          workflow: DELIVER_WEBHOOK,
          firstAttempt: first.dateCreated.toISOString(),
          summary: `Deliver ${event.kind} again`,
        },
      });
    });
    return !failed;
  };

  return {
    deliver: async (orgId, eventId) => {
      const reader = db.read(orgId);
      const webhooks = await webhookStore.subscribed(reader, eventId);
      if (webhooks.length === 0) return;
      const event = await eventStore.find(reader, eventId);
      invariant(event, `the event ${eventId} is there before its outbox row`);
      const begun = await db.withOrg(orgId, async (tx) => {
        const attempts: { webhook: WebhookEntity; begun: BegunAttempt }[] = [];
        for (const webhook of webhooks) {
          attempts.push({
            webhook,
            begun: await webhookEventStore.begin(tx, { webhookId: webhook.id, event, number: 1, firstId: null }),
          });
        }
        return attempts;
      });
      const open = begun.filter(({ begun: { deliveryFailed } }) => deliveryFailed === null);
      await Promise.all(open.map(({ webhook, begun: first }) => attempt({ orgId, webhook, event }, first, 1, first)));
    },

    retry: async (orgId, firstId, number) => {
      invariant(number > 1 && number <= ATTEMPTS_MAX, 'a retry is attempt 2 to 5');
      const reader = db.read(orgId);
      const first = await webhookEventStore.findRow(reader, firstId);
      invariant(first, `the first attempt ${firstId} is there before its workflow`);
      const [webhook, event] = await Promise.all([
        webhookStore.find(reader, first.webhookId),
        eventStore.find(reader, first.eventId),
      ]);
      invariant(event, 'the event of an attempt is there');
      if (webhook?.status !== 'Enabled') {
        await db.withOrg(orgId, (tx) => webhookEventStore.giveUp(tx, first, number));
        return 'Stopped';
      }
      const begun = await db.withOrg(orgId, (tx) =>
        webhookEventStore.begin(tx, { webhookId: webhook.id, event, number, firstId }),
      );
      if (begun.deliveryFailed !== null) return begun.deliveryFailed ? 'Failed' : 'Delivered';
      return (await attempt({ orgId, webhook, event }, begun, number, first)) ? 'Delivered' : 'Failed';
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

type First = { readonly id: string; readonly dateCreated: Date };
