/** The workflow's type name: it stands in histories. */
export const PING_WEBHOOK = 'pingWebhook';

export type PingWebhookInput = { readonly orgId: string; readonly id: string; readonly routing: { readonly webhookId: string } };

/** `status` is the HTTP status as text, or the code of what prevented an answer. */
export type PingWebhookResult = { readonly status: string; readonly error?: string };
