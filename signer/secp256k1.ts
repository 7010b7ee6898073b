import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { TransferSignature } from './protocol';

/** A new secret of 32 bytes; the caller wipes it. */
export function createSecret(): Buffer {
  const bytes = secp256k1.utils.randomSecretKey();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The compressed point as bare hex. */
export function publicKeyHexOf(secret: Buffer): string {
  return Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex');
}

/**
 * Signs 32 bytes. The nonce is RFC 6979 without added entropy, so that the same order always gives the same signature.
 * Throws when the result does not verify under the public key: a fault in the arithmetic can otherwise tell the key.
 */
export function signDigest(digest: Uint8Array, secret: Buffer, publicKeyHex: string): TransferSignature['signature'] {
  const options = { prehash: false, lowS: true, extraEntropy: false } as const;
  const recovered = secp256k1.sign(digest, secret, { ...options, format: 'recovered' });
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const compact = recovered.subarray(1);
  const verified = secp256k1.verify(compact, digest, publicKey, { prehash: false, lowS: true });
  const signer = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
  if (!verified || !publicKey.equals(signer)) throw new Error('the signature does not verify');
  const recoveryId = recovered[0];
  // 2 and 3 would need r above the group order: found about once in 2^128 signatures, and no EVM network can carry them.
  if (recoveryId !== 0 && recoveryId !== 1) throw new Error('the signature cannot be carried');
  const hex = (from: number) => `0x${Buffer.from(compact.subarray(from, from + 32)).toString('hex')}`;
  return { r: hex(0), s: hex(32), recoveryId };
}
