import { createHmac, randomInt } from 'node:crypto';
import { deriveKey } from './secret-box';

/** Crockford's base 32, which omits letters that people confuse with other characters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LENGTH = 3;

/** `context` names the organisation, the person and the purpose. */
export type CodeDigest = (code: string, context: string) => string;

/** 45 bits in three groups of three, with a dash between the groups. */
export function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * HMAC-SHA256 under a key derived from the data key. If the hash had no key, a reader of the database could find the code by
 * trying all codes.
 */
export function createCodeDigest(dataKey: Uint8Array): CodeDigest {
  const key = deriveKey(dataKey, 'one-time-codes');
  return (code, context) =>
    createHmac('sha256', key)
      .update(`${context}\n${normal(code)}`)
      .digest('hex');
}

/** Tolerates lower case, and missing or different dashes and spaces. */
const normal = (code: string): string => code.toUpperCase().replace(/[^0-9A-Z]/g, '');
