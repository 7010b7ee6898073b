/** The workflow's type name: outbox rows and histories hold it. */
export const DELIVER_WEBHOOK = 'deliverWebhook';

/** `id` is the first attempt's, which is also the workflow's; `firstAttempt` is its time. */
export type DeliverWebhookInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly firstAttempt: string };
};
