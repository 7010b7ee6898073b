/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const DELIVER_WEBHOOK = 'deliverWebhook';

/** `id` is both the first attempt's id and the workflow's id; `firstAttempt` is the time of that attempt. */
export type DeliverWebhookInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly firstAttempt: string };
};
