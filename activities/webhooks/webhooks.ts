import type { Deliverer } from '../../application/webhooks/delivery';

/** Activities of the `main` queue that call webhooks; both may be repeated after a crash. */
export function createWebhookActivities({ deliverer }: { readonly deliverer: Deliverer }) {
  return {
    /** One later attempt; the same attempt is recorded once, and its result is returned again. */
    attemptDelivery: ({
      orgId,
      firstId,
      attempt,
    }: {
      readonly orgId: string;
      readonly firstId: string;
      readonly attempt: number;
    }) => deliverer.retry(orgId, firstId, attempt),
    sendPing: ({ orgId, webhookId }: { readonly orgId: string; readonly webhookId: string }) => deliverer.ping(orgId, webhookId),
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
