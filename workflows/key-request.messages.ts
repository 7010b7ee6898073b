/** The workflow's type name: outbox rows and histories hold it. */
export const KEY_REQUEST = 'keyRequest';

/** `id` is the request's id, which is also the workflow's. */
export type KeyRequestInput = { readonly orgId: string; readonly id: string };
