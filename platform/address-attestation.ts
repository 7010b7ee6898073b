import { z } from 'zod';
import { HELD_CREDENTIALS_MAX } from '../domain/charters';
import { isEd25519Signed } from './ed25519-verification';

/** This prefix separates attestations from any other text that the key may sign in the future. */
const PURPOSE = 'strongroom/address-attestation/v1\0';
const SIGNATURE_BYTES = 64;
const TEXT_CHARS_MAX = 1_024;

const FINGERPRINT = /^[0-9a-f]{4}(?: [0-9a-f]{4}){7}$/;

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/**
 * The signer's statement about an address: the signer holds the private key of this public key for this organisation, and the
 * address on this network belongs to that key.
 */
const AddressAttestation = z.strictObject({
  v: z.literal(1),
  signerId: Id,
  organizationId: Id,
  keyId: Id,
  network: z.string().min(1).max(64),
  address: z.string().min(1).max(128),
  /** Compressed for secp256k1, in hex. */
  publicKey: z.string().regex(/^(?:[0-9a-f]{64}|[0-9a-f]{66})$/),
  /** True if this key, or a key from which this key can be derived, was imported or exported before `dateAttested`. */
  isKnownOutside: z.boolean(),
  dateAttested: z.iso.datetime(),
  /** The only end user who may use the key, with the fingerprints of this user's credentials when the key was made. */
  holder: z
    .strictObject({ userId: Id, credentials: z.array(z.string().regex(FINGERPRINT)).min(1).max(HELD_CREDENTIALS_MAX) })
    .exactOptional(),
});
export type AddressAttestation = z.infer<typeof AddressAttestation>;

/** The exact signed text, and in base64 the Ed25519 signature over its `attestationBytes`. */
export const SignedAttestation = z.strictObject({
  attestation: z.string().max(TEXT_CHARS_MAX),
  signature: z.base64().length(Math.ceil(SIGNATURE_BYTES / 3) * 4),
});
export type SignedAttestation = z.infer<typeof SignedAttestation>;

export const attestationBytes = (text: string): Buffer => Buffer.from(`${PURPOSE}${text}`, 'utf8');

/** Returns undefined if the text is not in the exact form that signers write. */
export function readAttestation(text: string): AddressAttestation | undefined {
  try {
    const read = AddressAttestation.safeParse(JSON.parse(text)).data;
    // Only the canonical text is accepted, so no member can occur twice.
    return read && JSON.stringify(read) === text ? read : undefined;
  } catch {
    return undefined;
  }
}

/** `keyHex` is the signer's Ed25519 public key for attestations, 32 bytes in hex. */
export const isAttestedBy = (keyHex: string, { attestation, signature }: SignedAttestation): boolean =>
  isEd25519Signed(keyHex, attestationBytes(attestation), signature);
