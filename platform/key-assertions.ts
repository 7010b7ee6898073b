import type { KeyObject } from 'node:crypto';
import { readClientData } from './client-data';
import { parseCredentialKey, verifyAssertion } from './credential-keys';

export type KeyAssertion = {
  readonly credId: string;
  readonly clientData: string;
  readonly signature: string;
  readonly algorithm?: string | undefined;
};

/** Whether the key signed the challenge, in the form of the published client's key signer. */
export function isSignedByKey(
  publicKey: string,
  challenge: string,
  { clientData, signature, algorithm }: Omit<KeyAssertion, 'credId'>,
): boolean {
  const client = readClientData(clientData, 'key.get');
  const key = usableKey(publicKey);
  if (!key || client?.challenge !== challenge) return false;
  return verifyAssertion(key, client.bytes, Buffer.from(signature, 'base64url'), algorithm);
}

const KEYS_MAX = 5_000;
/** Parsed keys that passed the checks, by the text of the key. The checks depend only on that text. */
const keys = new Map<string, KeyObject>();

/**
 * Applies the rules for a new key at every use of a key. Otherwise a writer to the database could put a weak key into an
 * existing row.
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
