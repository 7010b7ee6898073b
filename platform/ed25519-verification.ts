import { createPublicKey, verify } from 'node:crypto';
import { parseCredentialKey, pemOf } from './credential-keys';

const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * `keyHex` is an Ed25519 public key, 32 bytes in hex; `signature` is base64. Also returns false for a key of small order, because
 * anyone can forge a signature of such a key.
 */
export function isEd25519Signed(keyHex: string, bytes: Buffer, signature: string): boolean {
  const der = Buffer.concat([SPKI_OF_ED25519, Buffer.from(keyHex, 'hex')]);
  try {
    const key = parseCredentialKey(pemOf(createPublicKey({ key: der, format: 'der', type: 'spki' })));
    return verify(null, bytes, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
