import type { KeyForm } from '../../domain/keys';

/** The facts that approvers see of a key that is to be exported or delegated. */
type KeyFacts = KeyForm & { readonly keyId: string; readonly publicKey: string };

export type KeyExportWish = KeyFacts & {
  /** The recipient key of the share's encryption. */
  readonly encryptionKey: string;
  readonly supportedSchemes: { protocol: string; curve: KeyForm['curve'] }[];
};

export type KeyDelegationWish = KeyFacts & { readonly delegateTo: string };

/** The share itself is left out: it stays secret only as long as its cipher holds. */
export type KeyImportWish = KeyForm & {
  /** The id that the key will have. */
  readonly keyId: string;
  readonly signerId: string;
  readonly masterKey: boolean;
  readonly name?: string;
  /** The network of the wallet that is made with the key. */
  readonly network?: string;
};
