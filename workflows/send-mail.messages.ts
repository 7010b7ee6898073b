/** The workflow's type name: it stands in outbox rows and histories. */
export const SEND_MAIL = 'sendMail';

/** `id` is the mail's id, which is also the workflow's. */
export type SendMailInput = { readonly orgId: string; readonly id: string };
