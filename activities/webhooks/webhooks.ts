import type { Deliverer } from '../../application/webhooks/delivery';

/** Each activity may run again after a crash. */
export function createWebhookActivities({ deliverer }: { readonly deliverer: Deliverer }) {
  return {
    /** A repeated run does not record the attempt twice, and returns the same result. */
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
