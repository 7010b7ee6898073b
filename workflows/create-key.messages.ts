/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const CREATE_KEY = 'createKey';

/** `id` is the key's id, which is also the workflow's id. */
export type CreateKeyInput = { readonly orgId: string; readonly id: string };
