/**
 * `Software` is an addition to the published kinds of stores, because a sealed key in one isolated process is neither a hardware
 * module nor a threshold scheme. A new kind begins here: the compiler then reports each record that lacks the kind.
 */
export const KEY_STORE_KINDS = ['Software', 'OfflineSigner'] as const;
export type KeyStoreKind = (typeof KEY_STORE_KINDS)[number];

/** A draining store makes no new keys, and its keys stay usable. A removed store has no keys. No state can be left backwards. */
export const KEY_STORE_STATES = ['Active', 'Draining', 'Removed'] as const;
export type KeyStoreState = (typeof KEY_STORE_STATES)[number];

/** Whether the operator adds stores of this kind. Every organisation has exactly one software store. */
export const IS_ADDED = { Software: false, OfflineSigner: true } as const satisfies Readonly<Record<KeyStoreKind, boolean>>;

export type KeyStoreFacts = {
  readonly storeId: string;
  readonly kind: KeyStoreKind;
  readonly name: string;
  readonly state: KeyStoreState;
  readonly isPrimary: boolean;
  /** The people who must approve each ceremony. Absent means one. */
  readonly reviewers?: number;
};

/** The most people whose approval the operator can demand for one ceremony. */
export const STORE_REVIEWERS_MAX = 8;
export const reviewersOf = ({ reviewers = 1 }: Pick<KeyStoreFacts, 'reviewers'>): number => reviewers;

export const SOFTWARE_STORE_ID = 'software';
/** The only store of an organisation for which the operator has signed no entry. */
export const SOFTWARE_STORE = {
  storeId: SOFTWARE_STORE_ID,
  kind: 'Software',
  name: 'Software',
  state: 'Active',
  isPrimary: true,
} as const satisfies KeyStoreFacts;

/** The most stores of one organisation, including removed stores: an id is never used twice. */
export const KEY_STORES_MAX = 32;
export const KEY_STORE_NAME_CHARS_MAX = 64;

/** There is one signer, so an imported or exported key has one share: the whole key. */
export const SOFTWARE_PROTOCOL = 'Software';
export const SOFTWARE_SIGNERS = 1;

/** The encryption of a share (RFC 9180, base mode), by the names that the RFC registers. */
export const KEY_SHARE_SUITE = 'DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM';
/** The bytes of an encrypted share: the encapsulated key, the secret and the tag. */
export const KEY_SHARE_BYTES = 32 + 32 + 16;
/** An X25519 public key (RFC 7748). */
export const RECIPIENT_KEY_BYTES = 32;

/** A signer as the interface shows it; `encryptionKey` is an X25519 public key in base64. */
export type SignerFacts = { readonly signerId: string; readonly encryptionKey: string };
