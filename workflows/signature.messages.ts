/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const SIGNATURE = 'signature';

export type SignatureEnd = 'Signed' | 'Failed' | 'Rejected';

/** `id` is the request's id, which is also the workflow's id. */
export type SignatureInput = {
  readonly orgId: string;
  readonly id: string;
  /** How the request is judged. Absent in runs that started before there was a choice. */
  readonly routing?: { readonly judged?: string };
};
