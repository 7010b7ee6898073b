import type { KeyObject } from 'node:crypto';
import { parseCredentialKey } from './credential-keys';

const KEYS_MAX = 5_000;
/** Parsed keys that passed the checks, by the text of the key. The checks depend only on that text. */
const keys = new Map<string, KeyObject>();

/**
 * Applies the rules for a new key at every use of a key. Otherwise a writer to the database could put a weak key into an
 * existing row. Undefined for a key that the rules refuse.
 */
export function usableKey(pem: string): KeyObject | undefined {
  const known = keys.get(pem);
  if (known) return known;
  try {
    const key = parseCredentialKey(pem);
    const [oldest] = keys.keys();
    if (keys.size >= KEYS_MAX && oldest !== undefined) keys.delete(oldest);
    keys.set(pem, key);
    return key;
  } catch {
    return undefined;
  }
}
