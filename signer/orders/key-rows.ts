import { z } from 'zod';
import { KEY_CURVES, KEY_SCHEMES } from '../../domain/keys';
import { hex, Id, PublicKey } from '../wire/schemas';

/**
 * The greatest length of a wrapped data key. According to its documentation, a cloud service does not return more. A local
 * key-encryption key returns 60 bytes: the iv, 32 bytes of ciphertext and the tag.
 */
const WRAPPED_BYTES_MAX = 6_144;
const Wrapped = z
  .string()
  .regex(/^(?:[0-9a-f]{2}){60,}$/)
  .max(WRAPPED_BYTES_MAX * 2);

/**
 * A data encryption key of one organisation, wrapped by the signer's KEK. The caller cannot use the wrapped key without the
 * signer.
 */
export const DekRow = z.strictObject({
  orgId: Id,
  dekId: Id,
  kekId: Id,
  wrappedHex: Wrapped,
  commitHex: hex(32),
});
export type DekRow = z.infer<typeof DekRow>;

export const KeyForms = { scheme: z.enum(KEY_SCHEMES), curve: z.enum(KEY_CURVES) };

/** A key sealed under its organisation's DEK. `ciphertextHex` is the iv, 32 bytes of ciphertext and the tag. */
export const SealedKeyRow = z.strictObject({
  orgId: Id,
  keyId: Id,
  ...KeyForms,
  publicKeyHex: PublicKey,
  dekId: Id,
  ciphertextHex: hex(60),
});
export type SealedKeyRow = z.infer<typeof SealedKeyRow>;
