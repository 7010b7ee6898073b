import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/** The form of addresses and ids in rows of limits: keyed, because the set of all addresses is small enough to try. */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
