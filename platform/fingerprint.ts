import { createHash, createPublicKey } from 'node:crypto';

const SHOWN_DIGITS = 32;

/** The first half of the SHA-256 of the key's SPKI in DER, in groups that people can compare on paper. */
export function fingerprintOf(pem: string): string {
  const spki = createPublicKey(pem).export({ format: 'der', type: 'spki' });
  const digits = createHash('sha256').update(spki).digest('hex').slice(0, SHOWN_DIGITS);
  return (digits.match(/.{4}/g) ?? []).join(' ');
}
