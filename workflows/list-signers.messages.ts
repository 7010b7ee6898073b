/** Histories contain the name, so the name must not change. */
export const LIST_SIGNERS = 'listSigners';

export type ListSignersInput = { readonly orgId: string };
