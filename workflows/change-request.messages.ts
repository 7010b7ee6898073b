/** The workflow's type name: it stands in outbox rows and histories. */
export const CHANGE_REQUEST = 'changeRequest';

/** `id` is the change request's id, which is also the workflow's. */
export type ChangeRequestInput = { readonly orgId: string; readonly id: string };
