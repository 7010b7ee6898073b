/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const CHANGE_REQUEST = 'changeRequest';

/** `id` is the change request's id, which is also the workflow's id. */
export type ChangeRequestInput = { readonly orgId: string; readonly id: string };
