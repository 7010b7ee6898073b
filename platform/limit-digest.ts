import { createHmac } from 'node:crypto';
import { deriveKey } from './secret-box';

/** The form in which addresses and ids stand in rows of limits: under a key, because all addresses there are could be tried. */
export function createLimitDigest(dataKey: Uint8Array): (text: string) => string {
  const key = deriveKey(dataKey, 'limits');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
