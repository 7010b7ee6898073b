import { z } from 'zod';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../domain/credentials';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/passwords';

export const Kind = z.enum(Object.keys(CREDENTIAL_KINDS) as [CredentialKind, ...CredentialKind[]]);
export const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/, 'must be base64url text');
const CredId = z.string().min(1).max(1_400);
const ClientData = Base64Url.max(8_192);

const AllowedCredential = z.object({ type: z.literal('public-key'), id: z.string() });

export const SigningChallenge = z
  .object({
    challenge: z.string(),
    challengeIdentifier: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }).optional(),
    supportedCredentialKinds: z.array(
      z.object({ kind: Kind, factor: z.enum(['first', 'second', 'either']), requiresSecondFactor: z.boolean() }),
    ),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
    attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']),
    allowCredentials: z.object({
      key: z.array(AllowedCredential),
      passwordProtectedKey: z.array(AllowedCredential.extend({ encryptedPrivateKey: z.string() })),
      webauthn: z.array(AllowedCredential),
    }),
    externalAuthenticationUrl: z.string(),
  })
  .meta({ id: 'SigningChallenge' });

export const KeyAssertion = z.strictObject({
  credId: CredId,
  clientData: ClientData,
  signature: Base64Url.max(4_096),
  algorithm: z.enum(['RSA-SHA256', 'SHA256', 'SHA512']).optional(),
});

const PasskeyAssertion = KeyAssertion.extend({
  // Clients pass on what the browser reports; the stored key decides the algorithm.
  algorithm: z.string().max(64).optional(),
  authenticatorData: Base64Url.max(8_192),
  // An authenticator without a user handle returns null or an empty string.
  userHandle: z
    .string()
    .max(256)
    .nullish()
    .transform((text) => text || undefined),
});

const SignedFactors = [
  z.strictObject({ kind: z.literal('Key'), credentialAssertion: KeyAssertion }),
  z.strictObject({ kind: z.literal('PasswordProtectedKey'), credentialAssertion: KeyAssertion }),
  z.strictObject({ kind: z.literal('Fido2'), credentialAssertion: PasskeyAssertion }),
] as const;

export const FirstFactor = z.discriminatedUnion('kind', [
  ...SignedFactors,
  z.strictObject({ kind: z.literal('Password'), password: z.string().min(1).max(PASSWORD_LENGTH_MAX) }),
]);

export const SecondFactor = z.discriminatedUnion('kind', [
  ...SignedFactors,
  z.strictObject({ kind: z.literal('Totp'), otpCode: z.string().min(1).max(16) }),
]);

/** The response to a signing challenge, for a login and a user action alike (contract: `SignedChallengeBody`). */
export const SignedChallenge = z.strictObject({
  challengeIdentifier: z.string().min(1).max(4_096),
  firstFactor: FirstFactor,
  secondFactor: SecondFactor.optional(),
});

const AttestationInfo = z.strictObject({ credId: CredId, clientData: ClientData, attestationData: Base64Url.max(65_536) });
const EncryptedPrivateKey = z.string().min(1).max(16_384);

/** Members of each kind of new credential; the operation adds its own. */
export const ATTESTATIONS = {
  Fido2: { credentialKind: z.literal('Fido2'), credentialInfo: AttestationInfo },
  Key: { credentialKind: z.literal('Key'), credentialInfo: AttestationInfo },
  PasswordProtectedKey: {
    credentialKind: z.literal('PasswordProtectedKey'),
    credentialInfo: AttestationInfo,
    encryptedPrivateKey: EncryptedPrivateKey,
  },
  RecoveryKey: {
    credentialKind: z.literal('RecoveryKey'),
    credentialInfo: AttestationInfo,
    encryptedPrivateKey: EncryptedPrivateKey.optional(),
  },
  Password: {
    credentialKind: z.literal('Password'),
    credentialInfo: z.strictObject({ password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX) }),
  },
  Totp: {
    credentialKind: z.literal('Totp'),
    credentialInfo: z.strictObject({ otpCode: z.string().regex(/^\d{6}$/, 'must be six digits') }),
  },
} as const;

export const CredentialName = z.string().min(1).max(100);
const named = { credentialName: CredentialName.optional() };
const { Fido2, Key, PasswordProtectedKey, RecoveryKey, Password, Totp } = ATTESTATIONS;

/** The credentials of a registration or a recovery (contract: `RegistrationBody`). */
export const NewCredentials = {
  firstFactorCredential: z.discriminatedUnion('credentialKind', [
    z.strictObject({ ...Fido2, ...named }),
    z.strictObject({ ...Key, ...named }),
    z.strictObject({ ...PasswordProtectedKey, ...named }),
    z.strictObject({ ...Password, ...named }),
  ]),
  secondFactorCredential: z
    .discriminatedUnion('credentialKind', [
      z.strictObject({ ...Fido2, ...named }),
      z.strictObject({ ...Key, ...named }),
      z.strictObject({ ...PasswordProtectedKey, ...named }),
      z.strictObject({ ...Totp, ...named }),
    ])
    .optional(),
  recoveryCredential: z.strictObject({ ...RecoveryKey, ...named }).optional(),
};

/** A response that only confirms the change. */
export const Message = z.object({ message: z.string() });
