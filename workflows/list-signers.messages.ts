/** The workflow's type name: it stands in histories. */
export const LIST_SIGNERS = 'listSigners';

export type ListSignersInput = { readonly orgId: string };

/** A signer as the interface shows it; `encryptionKey` is an X25519 public key in base64. */
export type SignerFacts = { readonly signerId: string; readonly encryptionKey: string };
