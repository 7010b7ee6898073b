import type { KeyForm } from './keys';
import type { WalletNetworkName } from './networks';

/** A request may wait for the signer for this time. After this time, the caller no longer waits for the response. */
export const KEY_REQUEST_LIFE_MS = 20_000;

/** The wallet that is created together with an imported key. */
export type ImportedWallet = {
  readonly id: string;
  readonly network: WalletNetworkName;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly requestDigest: string;
};

/** A key request to the signer on behalf of a caller. Shares and keys are base64. The domain and the seed are 0x-hex. */
export type KeyRequestQuestion =
  | {
      readonly kind: 'Import';
      readonly form: KeyForm;
      readonly signerId: string;
      readonly encryptedShare: string;
      readonly name: string | null;
      readonly isMaster: boolean;
      /** The end user who owns the key from the start. */
      readonly delegatedTo: string | null;
      readonly wallet: ImportedWallet | null;
      /** The exact body that was signed. It contains the key share, so the user action stores only the digest of this body. */
      readonly signedText: string;
    }
  | { readonly kind: 'Export'; readonly recipientKey: string }
  | { readonly kind: 'Derive'; readonly domainHex: string; readonly seedHex: string };

export type ImportQuestion = Extract<KeyRequestQuestion, { kind: 'Import' }>;
export type KeyRequestKind = KeyRequestQuestion['kind'];

/** The members of the response to the caller that are not in the row of the key. */
export type KeyRequestAnswer = {
  readonly encryptedShare?: string;
  readonly signerId?: string;
  /** A compressed point as 0x-hex. */
  readonly outputHex?: string;
};
