import type { WebhookEntity } from '../../entities/webhooks/webhook.entity';
import type { StoredWebhookEvent } from '../../entities/webhooks/webhook-event.store';

/** The view omits the secret. */
export function webhookView({ id, url, events, status, description, dateCreated, dateUpdated }: WebhookEntity) {
  return {
    id,
    url,
    events: [...events],
    status,
    ...(description === null ? {} : { description }),
    dateCreated: dateCreated.toISOString(),
    dateUpdated: dateUpdated.toISOString(),
  };
}

/** `status` is `Pending` while no response is known. */
export function webhookEventView(event: StoredWebhookEvent) {
  return {
    id: event.id,
    date: event.date.toISOString(),
    kind: event.kind,
    data: event.data,
    status: event.status,
    ...(event.error === null ? {} : { error: event.error }),
    timestampSent: Number(event.timestampSent),
    deliveryFailed: event.deliveryFailed ?? false,
    deliveryAttempt: event.deliveryAttempt,
    ...(event.retryOf === null ? {} : { retryOf: event.retryOf }),
    ...(event.nextAttemptDate === null ? {} : { nextAttemptDate: event.nextAttemptDate.toISOString() }),
  };
}
