import { readClientData } from './client-data';
import { verifyAssertion } from './credential-keys';
import { usableKey } from './usable-key';

export type KeyAssertion = {
  readonly credId: string;
  readonly clientData: string;
  readonly signature: string;
  readonly algorithm?: string | undefined;
};

/** Whether the key signed the challenge. The signed bytes are client data, as the published client's key signer makes them. */
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

/** A raw key may sign with either hash, and a recorded assertion does not name the hash. */
const HASHES = ['SHA256', 'SHA512'] as const;

/** Like `isSignedByKey`, for a recorded assertion. */
export const isRecordedByKey = (
  publicKey: string,
  challenge: string,
  recorded: Omit<KeyAssertion, 'credId' | 'algorithm'>,
): boolean => HASHES.some((algorithm) => isSignedByKey(publicKey, challenge, { ...recorded, algorithm }));
