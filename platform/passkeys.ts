import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/**
 * The site that requests passkeys: `id` is a domain, and `origins` are the pages that may use the passkeys (WebAuthn §5.1.2).
 */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origins: readonly string[] };

/** Every member is base64url. */
export type PasskeyAttestation = { readonly credId: string; readonly clientData: string; readonly attestationData: string };
export type PasskeyAssertion = {
  readonly credId: string;
  readonly clientData: string;
  readonly signature: string;
  readonly authenticatorData: string;
  readonly userHandle?: string | undefined;
};

export type Passkey = {
  readonly credentialId: string;
  /** The COSE key (RFC 9052), base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  readonly origin: string;
};

/** ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** Undefined if any check of the attestation fails. The authenticator must have verified the user. */
export async function verifyPasskeyAttestation(
  rp: RelyingParty,
  challenge: string,
  { credId, clientData, attestationData }: PasskeyAttestation,
): Promise<Passkey | undefined> {
  if (isCrossOrigin(clientData)) return undefined;
  const response: RegistrationResponseJSON = {
    id: credId,
    rawId: credId,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: clientData, attestationObject: attestationData },
  };
  try {
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (received) => isChallenge(received, challenge),
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    if (!verified || info.credential.id !== credId) return undefined;
    const publicKey = Buffer.from(info.credential.publicKey).toString('base64url');
    return { credentialId: credId, publicKey, signCount: info.credential.counter, origin: info.origin };
  } catch {
    // Callers do not learn which check failed.
    return undefined;
  }
}

/**
 * The new counter. Undefined for an invalid assertion, and for a counter that did not advance. A counter that stays at zero is
 * accepted.
 */
export async function verifyPasskeyAssertion(
  rp: RelyingParty,
  challenge: string,
  { credentialId, publicKey, signCount }: Omit<Passkey, 'origin'>,
  { credId, clientData, signature, authenticatorData, userHandle }: PasskeyAssertion,
): Promise<number | undefined> {
  if (credId !== credentialId || isCrossOrigin(clientData)) return undefined;
  const response: AuthenticationResponseJSON = {
    id: credId,
    rawId: credId,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: clientData, authenticatorData, signature, ...(userHandle === undefined ? {} : { userHandle }) },
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (received) => isChallenge(received, challenge),
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      credential: { id: credId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: signCount },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** Some clients give the browser the decoded challenge, and other clients give it the text of the challenge. */
const isChallenge = (received: string, challenge: string): boolean =>
  received === challenge || received === Buffer.from(challenge, 'utf8').toString('base64url');

/** The library accepts cross-origin requests, but a page embedded in another page must not request a passkey. */
function isCrossOrigin(clientData: string): boolean {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    return typeof parsed !== 'object' || parsed === null || ('crossOrigin' in parsed && parsed.crossOrigin !== false);
  } catch {
    return true;
  }
}
