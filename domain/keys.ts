/**
 * The public key of ECDSA and DH on secp256k1 is the compressed SEC1 point. Ed25519 uses the 32 bytes of RFC 8032, and Schnorr
 * uses the x-only point of BIP340. The STARK curve uses the x coordinate. The secret has 32 bytes in every form.
 */
export const KEY_FORMS = [
  { scheme: 'ECDSA', curve: 'secp256k1', publicKeyBytes: 33 },
  { scheme: 'ECDSA', curve: 'stark', publicKeyBytes: 32 },
  { scheme: 'EdDSA', curve: 'ed25519', publicKeyBytes: 32 },
  { scheme: 'Schnorr', curve: 'secp256k1', publicKeyBytes: 32 },
  { scheme: 'DH', curve: 'secp256k1', publicKeyBytes: 33 },
] as const;

export const KEY_SCHEMES = ['DH', 'ECDSA', 'EdDSA', 'Schnorr'] as const;
export const KEY_CURVES = ['ed25519', 'secp256k1', 'stark'] as const;
export type KeyScheme = (typeof KEY_SCHEMES)[number];
export type KeyCurve = (typeof KEY_CURVES)[number];
export type KeyForm = { readonly scheme: KeyScheme; readonly curve: KeyCurve };

/** Forms of keys from which other keys can be derived: BIP32 on secp256k1, SLIP-10 on Ed25519. */
export const isMasterForm = ({ scheme, curve }: KeyForm): boolean =>
  curve === 'ed25519' || (curve === 'secp256k1' && scheme !== 'DH');

export const DEFAULT_SCHEMES = { ed25519: 'EdDSA', secp256k1: 'ECDSA', stark: 'ECDSA' } as const satisfies Record<
  KeyCurve,
  KeyScheme
>;

export const findKeyForm = ({ scheme, curve }: KeyForm) =>
  KEY_FORMS.find((form) => form.scheme === scheme && form.curve === curve);
