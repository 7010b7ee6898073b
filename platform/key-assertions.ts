import { readClientData } from './client-data';
import { verifyAssertion } from './credential-keys';
import { usableKey } from './usable-key';

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
