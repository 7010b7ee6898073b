/** Histories contain the name, so the name must not change. */
export const PING_WEBHOOK = 'pingWebhook';

export type PingWebhookInput = { readonly orgId: string; readonly id: string; readonly routing: { readonly webhookId: string } };

/** `status` is the HTTP status as text, or the code of the error that prevented a reply. */
export type PingWebhookResult = { readonly status: string; readonly error?: string };
