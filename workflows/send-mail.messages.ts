/** Outbox rows and histories contain the name, so the name must not change. */
export const SEND_MAIL = 'sendMail';

/** `id` is the id of the mail and of the workflow. */
export type SendMailInput = { readonly orgId: string; readonly id: string };
