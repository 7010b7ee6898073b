import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/**
 * The returned function computes the keyed hashes that the rows of limits store. If the hashes had no key, a reader of the
 * database could find an address by trying every address.
 */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
