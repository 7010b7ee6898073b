/** The workflow's type name: outbox rows and histories hold it. */
export const SEND_MAIL = 'sendMail';

/** `id` is the mail's id, which is also the workflow's. */
export type SendMailInput = { readonly orgId: string; readonly id: string };
