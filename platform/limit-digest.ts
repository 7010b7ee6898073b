import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/**
 * Makes the stored form of addresses and ids in the rows of rate limits. It is a keyed hash, because every possible address
 * could be tried against a plain hash.
 */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
