/** Outbox rows and histories contain the name, so the name must not change. */
export const DELIVER_WEBHOOK = 'deliverWebhook';

/** `id` is the id of the first attempt and of the workflow; `firstAttempt` is the time of that attempt. */
export type DeliverWebhookInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly firstAttempt: string };
};
