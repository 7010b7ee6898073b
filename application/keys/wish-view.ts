import type { KeyForm } from '../../domain/keys';

/** What approvers are shown of a key that is to leave, or to change its owner. */
type KeyFacts = KeyForm & { readonly keyId: string; readonly publicKey: string };

export type KeyExportWish = KeyFacts & {
  /** To which the share would be encrypted. */
  readonly encryptionKey: string;
  readonly supportedSchemes: { protocol: string; curve: KeyForm['curve'] }[];
};

export type KeyDelegationWish = KeyFacts & { readonly delegateTo: string };

/** The share itself is left out: it is a secret for as long as its cipher holds. */
export type KeyImportWish = KeyForm & {
  /** The id that the key will have. */
  readonly keyId: string;
  readonly signerId: string;
  readonly masterKey: boolean;
  readonly name?: string;
  /** Of the wallet that is made with the key. */
  readonly network?: string;
};
