import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/**
 * Creates the function that hashes addresses and ids with a key. The rows of rate limits store these hashes. From a hash
 * without a key, a reader of the database could find the address by hashing every possible address.
 */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
