/** The workflow's type name: it stands in outbox rows and histories. */
export const CREATE_KEY = 'createKey';

/** `id` is the key's id, which is also the workflow's. */
export type CreateKeyInput = { readonly orgId: string; readonly id: string };
