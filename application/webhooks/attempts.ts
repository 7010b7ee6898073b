import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Tx } from '../../entities/database';
import type { EventEntity } from '../../entities/events/event.entity';
import { eventStore, type NewEvent } from '../../entities/events/event.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { WebhookEntity } from '../../entities/webhooks/webhook.entity';
import { webhookStore } from '../../entities/webhooks/webhook.store';
import {
  type Attempt,
  type BegunAttempt,
  type SettledAttempt,
  webhookEventStore,
} from '../../entities/webhooks/webhook-event.store';
import { createBatches } from '../../platform/batches';
import { reach } from '../../platform/points';

type Subscribed = { readonly event: EventEntity; readonly webhooks: readonly WebhookEntity[] };

export type Follows = { readonly workflow: Dispatch; readonly event: NewEvent | undefined };

/** Concurrent calls for one organisation may share one statement and one commit. */
export type WebhookAttempts = {
  /** Undefined if no webhook subscribed to the event. */
  readonly subscribed: (orgId: string, eventId: string) => Promise<Subscribed | undefined>;
  readonly begin: (orgId: string, attempt: Attempt) => Promise<BegunAttempt>;
  /**
   * Records a result and, if `follows` is given, queues the workflow for the later attempts. Does nothing if another process has
   * already recorded a result.
   */
  readonly settle: (orgId: string, result: SettledAttempt, follows: Follows | undefined) => Promise<void>;
};

const BATCH_MAX = 100;

export function createWebhookAttempts(db: Database): WebhookAttempts {
  const groupOf = ({ orgId }: { readonly orgId: string }) => orgId;
  const batches = { groupOf, itemsMax: BATCH_MAX };

  const subscribed = createBatches<{ orgId: string; eventId: string }, Subscribed | undefined>({
    ...batches,
    run: async (items) => {
      const reader = db.read(items[0].orgId);
      const found = await webhookStore.subscriptions(
        reader,
        items.map(({ eventId }) => eventId),
      );
      if (found.length === 0) return items.map(() => undefined);
      const [events, webhooks] = await Promise.all([
        eventStore.findAll(reader, [...new Set(found.map(({ eventId }) => eventId))]),
        webhookStore.findAll(reader, [...new Set(found.map(({ webhookId }) => webhookId))]),
      ]);
      return items.map(({ eventId }) => {
        const event = events.find(({ id }) => id === eventId);
        const ids = found.filter((one) => one.eventId === eventId).map(({ webhookId }) => webhookId);
        return event && { event, webhooks: webhooks.filter(({ id }) => ids.includes(id)) };
      });
    },
  });

  const begin = createBatches<{ orgId: string; attempt: Attempt }, BegunAttempt>({
    ...batches,
    run: (items) =>
      db.withOrg(items[0].orgId, (tx) =>
        webhookEventStore.begin(
          tx,
          items.map(({ attempt }) => attempt),
        ),
      ),
  });

  const settle = createBatches<{ orgId: string; result: SettledAttempt; follow: (tx: Tx) => Promise<void> }, undefined>({
    ...batches,
    run: (items) =>
      db.withOrg(items[0].orgId, async (tx) => {
        const ours = await webhookEventStore.settleAll(
          tx,
          items.map(({ result }) => result),
        );
        for (const { result, follow } of items) if (ours.has(result.id)) await follow(tx);
        return items.map(() => undefined);
      }),
  });

  return {
    subscribed: (orgId, eventId) => subscribed({ orgId, eventId }),
    begin: async (orgId, attempt) => {
      const begun = await begin({ orgId, attempt });
      await reach('written');
      return begun;
    },
    settle: async (orgId, result, follows) => {
      // `outboxStore.add` stores the current request context. The batch may run in the context of another request, so the
      // context of this call is bound here.
      const follow = AsyncLocalStorage.bind(async (tx: Tx) => {
        if (!follows) return;
        await outboxStore.add(tx, follows.workflow);
        if (follows.event) await eventStore.emit(tx, follows.event);
      });
      await reach('heard');
      await settle({ orgId, result, follow });
      await reach('marked');
    },
  };
}
