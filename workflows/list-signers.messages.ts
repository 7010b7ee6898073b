/** The workflow's type name: histories hold it. */
export const LIST_SIGNERS = 'listSigners';

export type ListSignersInput = { readonly orgId: string };
