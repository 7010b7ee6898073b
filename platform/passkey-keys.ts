import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import { parseCredentialKey, pemOf } from './credential-keys';

/** Labels and values of a COSE key (RFC 9053 §7). */
const [KTY, ALG, FIRST, SECOND, THIRD] = [1, 3, -1, -2, -3];
const [OKP, EC2, RSA] = [1, 2, 3];
const [ES256, EDDSA, RS256] = [-7, -8, -257];
const [P256, ED25519] = [1, 6];

/**
 * Returns the key of a passkey in the form of the other credentials' keys. Accepts only the algorithms of `PASSKEY_ALGORITHMS`,
 * each with its usual curve, because a verifier without WebAuthn derives the digest from the key alone. Throws for any other key.
 */
export function passkeyKey(cose: string): KeyObject {
  const members = decodeCredentialPublicKey(new Uint8Array(Buffer.from(cose, 'base64url'))) as unknown;
  if (!(members instanceof Map)) throw new Error('The passkey has no COSE key');
  const jwk = jwkOf(members);
  if (!jwk) throw new Error('The passkey must be of ES256 on P-256, EdDSA on Ed25519, or RS256');
  return parseCredentialKey(pemOf(createPublicKey({ key: jwk, format: 'jwk' })));
}

function jwkOf(members: ReadonlyMap<unknown, unknown>): JsonWebKey | undefined {
  const [kty, alg] = [members.get(KTY), members.get(ALG)];
  const bytes = (label: number | undefined) => {
    const value = members.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  };
  if (kty === EC2 && alg === ES256 && members.get(FIRST) === P256)
    return { kty: 'EC', crv: 'P-256', x: bytes(SECOND), y: bytes(THIRD) };
  if (kty === OKP && alg === EDDSA && members.get(FIRST) === ED25519) return { kty: 'OKP', crv: 'Ed25519', x: bytes(SECOND) };
  if (kty === RSA && alg === RS256) return { kty: 'RSA', n: bytes(FIRST), e: bytes(SECOND) };
  return undefined;
}
