import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/**
 * Creates the function that makes the stored form of addresses and ids for the rows of rate limits. The stored form is a keyed
 * hash. A reader of the database could find the address behind a plain hash by hashing every possible address.
 */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
