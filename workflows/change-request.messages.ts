/** Outbox rows and histories contain the name, so the name must not change. */
export const CHANGE_REQUEST = 'changeRequest';

/** `id` is the id of the change request and of the workflow. */
export type ChangeRequestInput = { readonly orgId: string; readonly id: string };
