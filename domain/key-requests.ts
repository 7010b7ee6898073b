import { DAY_MS } from './durations';
import type { KeyForm } from './keys';
import type { WalletNetworkName } from './networks';

/** How long a request may wait for the signer. After this time the caller no longer waits for the response. */
export const KEY_REQUEST_LIFE_MS = 20_000;

/** The time within which an approved export or import can be carried out. */
export const GRANT_LIFE_MS = DAY_MS;

export type ImportedWallet = {
  readonly id: string;
  readonly network: WalletNetworkName;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly requestDigest: string;
  /** Absent if the wallet has no metadata, and in requests from earlier releases. */
  readonly metadata?: Readonly<Record<string, string>>;
};

/** Shares and keys are base64. The domain and the seed are 0x-hex. */
export type KeyRequestQuestion =
  | {
      readonly kind: 'Import';
      readonly form: KeyForm;
      readonly signerId: string;
      readonly encryptedShare: string;
      readonly name: string | null;
      readonly isMaster: boolean;
      readonly delegatedTo: string | null;
      readonly wallet: ImportedWallet | null;
      /**
       * The exact body that was signed. The body contains the key share, so the user action stores only the digest of the body.
       */
      readonly signedText: string;
    }
  | { readonly kind: 'Export'; readonly recipientKey: string }
  | { readonly kind: 'Derive'; readonly domainHex: string; readonly seedHex: string };

export type ImportQuestion = Extract<KeyRequestQuestion, { kind: 'Import' }>;
export type KeyRequestKind = KeyRequestQuestion['kind'];

export type KeyRequestAnswer = {
  readonly encryptedShare?: string;
  readonly signerId?: string;
  /** A compressed point as 0x-hex. */
  readonly outputHex?: string;
};
