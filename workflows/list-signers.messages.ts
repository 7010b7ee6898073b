/** The workflow's type name: it stands in histories. */
export const LIST_SIGNERS = 'listSigners';

export type ListSignersInput = { readonly orgId: string };
