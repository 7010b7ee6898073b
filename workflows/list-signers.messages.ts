/** The workflow's type name. It must not change, because histories contain it. */
export const LIST_SIGNERS = 'listSigners';

export type ListSignersInput = { readonly orgId: string };
