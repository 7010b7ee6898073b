import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { readClientData } from '../../platform/client-data';
import { parseCredentialKey, pemOf, verifyAssertion } from '../../platform/credential-keys';
import { sha256Hex } from '../../platform/digests';
import { stepOf } from '../../platform/one-time-passwords';
import { type PasskeyAttestation, verifyPasskeyAttestation } from '../../platform/passkeys';
import { hashPassword } from '../../platform/passwords';
import { parseStrictJson } from '../../platform/strict-json';
import type { IdentityServices } from '../users/identity-services';

type Signed = { readonly credentialInfo: PasskeyAttestation; readonly encryptedPrivateKey?: string | undefined };

/** The interface calls this type `CredentialBody`, `FirstFactorAttestation` and similar. */
export type Attestation = { readonly credentialName?: string | undefined } & (
  | ({ readonly credentialKind: 'Fido2' | 'Key' | 'PasswordProtectedKey' | 'RecoveryKey' } & Signed)
  | { readonly credentialKind: 'Password'; readonly credentialInfo: { readonly password: string } }
  | { readonly credentialKind: 'Totp'; readonly credentialInfo: { readonly otpCode: string } }
);

/** `sealedSeed` is the one-time password seed that the challenge offered. */
export type ExpectedAttestation = { readonly challenge: string; readonly sealedSeed?: string | undefined };

export type AttestedCredential = Pick<
  CredentialEntity,
  'kind' | 'credentialId' | 'name' | 'publicKey' | 'encryptedPrivateKey' | 'secret' | 'signCount' | 'lastStep'
> &
  Pick<CredentialEntity, 'relyingPartyId' | 'origin'>;

const KeyAttestation = z.object({
  publicKey: z.string(),
  /** Hexadecimal digits, as the published clients send them. */
  signature: z.string().regex(/^([0-9a-fA-F]{2})+$/),
  algorithm: z.enum(['RSA-SHA256', 'SHA256', 'SHA512']).optional(),
});

const NOTHING = {
  publicKey: '',
  encryptedPrivateKey: null,
  secret: null,
  signCount: '0',
  lastStep: null,
  relyingPartyId: '',
  origin: '',
};
const OWN_ID_BYTES = 16;

/** The context to which the seed of one-time passwords is sealed. */
export const seedContext = (orgId: string): string => `totp/${orgId}`;

/**
 * Throws `AttestationInvalid`. The error states the kind of the credential but not the failed check, except for a refused public
 * key (`allowedKey`).
 */
export async function attest(
  services: IdentityServices,
  orgId: string,
  expected: ExpectedAttestation,
  attestation: Attestation,
): Promise<AttestedCredential> {
  const { credentialKind: kind, credentialName: name = kind } = attestation;
  switch (attestation.credentialKind) {
    case 'Fido2': {
      const { relyingParty: rp } = services;
      const passkey = await verifyPasskeyAttestation(rp, expected.challenge, attestation.credentialInfo);
      if (!passkey) throw invalid(kind);
      const { credentialId, publicKey, signCount, origin } = passkey;
      return { ...NOTHING, kind, name, credentialId, publicKey, signCount: `${signCount}`, relyingPartyId: rp.id, origin };
    }
    case 'Password': {
      const secret = await hashPassword(attestation.credentialInfo.password);
      return { ...NOTHING, kind, name, credentialId: ownId(), secret };
    }
    case 'Totp': {
      const { sealedSeed } = expected;
      if (sealedSeed === undefined) throw invalid(kind);
      const seed = services.credentialSecrets.open(sealedSeed, seedContext(orgId));
      const step = stepOf(seed, attestation.credentialInfo.otpCode, Date.now());
      if (step === undefined) throw invalid(kind);
      // The stored time step prevents a second use of the code that confirmed the seed.
      return { ...NOTHING, kind, name, credentialId: ownId(), secret: sealedSeed, lastStep: `${step}` };
    }
    default: {
      const { encryptedPrivateKey = null, credentialInfo } = attestation;
      return { ...NOTHING, kind, name, encryptedPrivateKey, ...attestKey(kind, expected.challenge, credentialInfo) };
    }
  }
}

/** The key signs a fingerprint: a JSON object with exactly the digest of the client data and the public key. */
function attestKey(kind: string, challenge: string, { credId, clientData, attestationData }: PasskeyAttestation) {
  const client = readClientData(clientData, 'key.create');
  const json = parseStrictJson(Buffer.from(attestationData, 'base64url'));
  const attested = json.ok ? KeyAttestation.safeParse(json.value) : undefined;
  if (client?.challenge !== challenge || !attested?.success) throw invalid(kind);
  const { publicKey, signature, algorithm } = attested.data;
  const key = allowedKey(publicKey);
  const fingerprint = Buffer.from(JSON.stringify({ clientDataHash: sha256Hex(client.bytes), publicKey }), 'utf8');
  if (!verifyAssertion(key, fingerprint, Buffer.from(signature, 'hex'), algorithm)) throw invalid(kind);
  return { credentialId: credId, publicKey: pemOf(key), origin: client.origin };
}

/** Throws `AttestationInvalid` with the reason for a key that may not be stored. */
export function allowedKey(text: string) {
  try {
    return parseCredentialKey(text);
  } catch (error) {
    const message = error instanceof Error && !('code' in error) ? error.message : 'The public key cannot be read';
    throw new AppError('AttestationInvalid', message, {}, error);
  }
}

const ownId = (): string => randomBytes(OWN_ID_BYTES).toString('base64url');

const invalid = (kind: string) => new AppError('AttestationInvalid', `The attestation of the ${kind} credential is not valid.`);
