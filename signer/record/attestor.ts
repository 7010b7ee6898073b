import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** A private key of Ed25519 in PKCS #8 (RFC 8410), without its last 32 bytes. */
const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Attestor {
  /** The Ed25519 public key in hex, which people write down to verify attestations. */
  readonly publicKeyHex: string;
  /** The bytes begin with a prefix for their purpose. The signature is in base64. */
  sign(bytes: Buffer): string;
}

/** `seed` is 32 bytes that serve only this key. Like the journal, the key outlives restarts, rotations and restores. */
export function createAttestor(seed: Buffer): Attestor {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_OF_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKeyHex: publicKey.toString('hex'),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
  };
}
