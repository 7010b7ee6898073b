/** The workflow's type name: outbox rows and histories hold it. */
export const CHANGE_REQUEST = 'changeRequest';

/** `id` is the change request's id, which is also the workflow's. */
export type ChangeRequestInput = { readonly orgId: string; readonly id: string };
