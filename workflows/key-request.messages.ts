/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const KEY_REQUEST = 'keyRequest';

/** `id` is the request's id, which is also the workflow's id. */
export type KeyRequestInput = { readonly orgId: string; readonly id: string };
