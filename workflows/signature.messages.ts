/** Outbox rows and histories contain the name, so the name must not change. */
export const SIGNATURE = 'signature';

export type SignatureEnd = 'Signed' | 'Failed' | 'Rejected';

/** `id` is the id of the request and of the workflow. */
export type SignatureInput = {
  readonly orgId: string;
  readonly id: string;
  /** Runs from earlier releases lack this member. */
  readonly routing?: { readonly judged?: string };
};
