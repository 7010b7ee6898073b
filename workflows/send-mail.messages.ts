/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const SEND_MAIL = 'sendMail';

/** `id` is the mail's id, which is also the workflow's id. */
export type SendMailInput = { readonly orgId: string; readonly id: string };
