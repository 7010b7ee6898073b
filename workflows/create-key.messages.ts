/** The workflow's type name: outbox rows and histories hold it. */
export const CREATE_KEY = 'createKey';

/** `id` is the key's id, which is also the workflow's. */
export type CreateKeyInput = { readonly orgId: string; readonly id: string };
