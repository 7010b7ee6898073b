import type { KeyForm } from '../../domain/keys';

/** Approvers see these facts about a key that is to be exported or delegated. */
type KeyFacts = KeyForm & { readonly keyId: string; readonly publicKey: string };

export type KeyExportWish = KeyFacts & {
  /** The recipient's key, to which the share is encrypted. */
  readonly encryptionKey: string;
  readonly supportedSchemes: { protocol: string; curve: KeyForm['curve'] }[];
};

export type KeyDelegationWish = KeyFacts & { readonly delegateTo: string };

/** Approvers do not see the encrypted share. A copy of the share would reveal the secret if the cipher were ever broken. */
export type KeyImportWish = KeyForm & {
  /** The id that the key will have. */
  readonly keyId: string;
  readonly signerId: string;
  readonly masterKey: boolean;
  readonly name?: string;
  /** The network of the wallet that is created with the key. */
  readonly network?: string;
};
