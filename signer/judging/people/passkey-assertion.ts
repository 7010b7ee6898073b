import { createHash } from 'node:crypto';
import { z } from 'zod';
import { verifyAssertion } from '../../../platform/credential-keys';
import { parseStrictJson } from '../../../platform/strict-json';
import { usableKey } from '../../../platform/usable-key';

/** The hash of the relying party's id, the flags and the counter (WebAuthn §6.1). */
const RP_ID_HASH_BYTES = 32;
const FLAGS_AT = 32;
const AUTHENTICATOR_DATA_BYTES_MIN = 37;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

const ClientData = z.object({
  type: z.literal('webauthn.get'),
  challenge: z.string(),
  origin: z.url(),
  crossOrigin: z.literal(false).optional(),
});

export type PasskeyAnswer = { readonly clientData: string; readonly authenticatorData: string; readonly signature: string };
type Passkey = { readonly publicKey: string; readonly relyingPartyId: string };

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Browsers allow a passkey only on secure pages of the relying party's domain, and on pages of the local machine. */
function isOriginOf(origin: string, relyingPartyId: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const isOfDomain = hostname === relyingPartyId || hostname.endsWith(`.${relyingPartyId}`);
  return isOfDomain && (protocol === 'https:' || hostname === 'localhost');
}

/**
 * Whether the passkey signed the challenge for its relying party, with the user verified (WebAuthn §7.2). The counter is not
 * compared, because only the service sees every assertion.
 */
export function isPasskeyAnswer(
  { publicKey, relyingPartyId }: Passkey,
  challenge: string,
  { clientData, authenticatorData, signature }: PasskeyAnswer,
): boolean {
  const clientBytes = Buffer.from(clientData, 'base64url');
  const json = parseStrictJson(clientBytes);
  const client = json.ok ? ClientData.safeParse(json.value).data : undefined;
  // Some clients give the browser the decoded challenge, and other clients give it the text of the challenge.
  const isAsked = client && [challenge, Buffer.from(challenge, 'utf8').toString('base64url')].includes(client.challenge);
  if (!isAsked || !isOriginOf(client.origin, relyingPartyId)) return false;
  const data = Buffer.from(authenticatorData, 'base64url');
  if (data.length < AUTHENTICATOR_DATA_BYTES_MIN) return false;
  if (!data.subarray(0, RP_ID_HASH_BYTES).equals(sha256(Buffer.from(relyingPartyId, 'utf8')))) return false;
  const flags = data[FLAGS_AT] ?? 0;
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return false;
  const signed = Buffer.concat([data, sha256(clientBytes)]);
  const key = usableKey(publicKey);
  return key !== undefined && verifyAssertion(key, signed, Buffer.from(signature, 'base64url'));
}
