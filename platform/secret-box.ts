import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals small secrets of the API and the worker under the data key, and never under the signer's key (S11). */
export type SecretBox = {
  /** The base64 of iv ‖ ciphertext ‖ tag, which `open` opens only with the same `context`. */
  readonly seal: (plain: string, context: string) => string;
  readonly open: (sealed: string, context: string) => string;
};

/** Each purpose has a key of its own. */
export type Purpose =
  | 'limits'
  | 'webhook-secrets'
  | 'temporal-payload'
  | 'credential-secrets'
  | 'decoys'
  | 'one-time-codes'
  | 'mails'
  | 'sso-secrets'
  | 'key-requests'
  | 'user-actions'
  | 'travel-rule'
  | 'integrations';

/** AES-256-GCM under a key derived from the data key for this purpose (RFC 5869). */
export function createSecretBox(dataKey: Uint8Array, purpose: Purpose): SecretBox {
  const key = deriveKey(dataKey, purpose);
  return {
    seal: (plain, context) => encrypt(key, Buffer.from(plain, 'utf8'), context).toString('base64'),
    open: (sealed, context) => decrypt(key, Buffer.from(sealed, 'base64'), context).toString('utf8'),
  };
}

export function deriveKey(dataKey: Uint8Array, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `strongroom/${purpose}`, 32));
}

export function encrypt(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export function decrypt(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new Error('The sealed text is too short');
  // Node 20 accepts a four-byte tag unless the length is fixed here.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
