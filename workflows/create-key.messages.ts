/** Outbox rows and histories contain the name, so the name must not change. */
export const CREATE_KEY = 'createKey';

/** `id` is the id of the key and of the workflow. */
export type CreateKeyInput = { readonly orgId: string; readonly id: string };
