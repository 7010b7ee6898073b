/**
 * `Software` is an addition to the published kinds of stores, because a sealed key in one isolated process is neither a hardware
 * module nor a threshold scheme.
 */
export const KEY_STORES = [{ id: 'software', kind: 'Software', name: 'Software', primary: true }] as const;

export type KeyStoreRow = (typeof KEY_STORES)[number];

export const findKeyStore = (id: string): KeyStoreRow | undefined => KEY_STORES.find((store) => store.id === id);

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
