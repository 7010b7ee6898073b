/**
 * Two words of 32 bytes: for EdDSA and Schnorr the two halves of the signature. `recoveryId` is set only if the public key can
 * be recovered.
 */
export type KeySignature = {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly recoveryId?: 0 | 1;
};

export type SignOptions = {
  /** Only for Schnorr: signs under the output key of BIP341 for this root. Empty bytes mean a key without a script tree. */
  readonly taprootMerkleRoot?: Uint8Array;
};

/** The operations for one form of key, on a plain secret of 32 bytes. */
export type SchemeCode = {
  /** The caller wipes the result. */
  createSecret(): Buffer;
  /** Whether the secret is in range for the curve. Never throws. */
  isSecret(secret: Buffer): boolean;
  /** Bare hex in the form of `KEY_FORMS`. Throws for a secret out of range. */
  publicKeyHexOf(secret: Buffer): string;
  /**
   * ECDSA and Schnorr sign a digest of 32 bytes. EdDSA signs the whole message. No randomness is used, so that an order always
   * gets the same signature. Throws if the result does not verify under the public key, because a faulty signature can reveal the
   * key.
   */
  sign(message: Uint8Array, secret: Buffer, publicKeyHex: string, options?: SignOptions): KeySignature;
};

export const DIGEST_BYTES = 32;
export const SECRET_BYTES = 32;
const SIGNATURE_BYTES = 64;

export function assertDigest(message: Uint8Array): void {
  if (message.length !== DIGEST_BYTES) throw new Error('a digest has 32 bytes');
}

export function assertNoTweak(options: SignOptions | undefined): void {
  if (options?.taprootMerkleRoot) throw new Error('only Schnorr keys are tweaked');
}

/** `bytes` is r followed by s. Throws for a recovery id that no chain accepts. */
export function toSignature(bytes: Uint8Array, recoveryId?: number): KeySignature {
  if (bytes.length !== SIGNATURE_BYTES) throw new Error('a signature has 64 bytes');
  const word = (from: number) => `0x${Buffer.from(bytes.subarray(from, from + 32)).toString('hex')}` as const;
  const signature = { r: word(0), s: word(32) };
  if (recoveryId === undefined) return signature;
  // No EVM network accepts the values 2 and 3. They occur about once in 2^128 signatures, if an x coordinate exceeds the group
  // order.
  if (recoveryId !== 0 && recoveryId !== 1) throw new Error('the signature cannot be carried');
  return { ...signature, recoveryId };
}

export const bufferOver = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
