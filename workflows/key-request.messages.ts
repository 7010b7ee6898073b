/** Outbox rows and histories contain the name, so the name must not change. */
export const KEY_REQUEST = 'keyRequest';

/** `id` is the id of the request and of the workflow. */
export type KeyRequestInput = { readonly orgId: string; readonly id: string };
