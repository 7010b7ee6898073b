import { z } from 'zod';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../domain/credentials';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/passwords';

export const Kind = z.enum(Object.keys(CREDENTIAL_KINDS) as [CredentialKind, ...CredentialKind[]]).meta({
  id: 'CredentialKind',
  description:
    '`Fido2`: a passkey. `Key`: a key pair that the client holds. `PasswordProtectedKey`: a key pair whose private key ' +
    'the service stores, encrypted by the client. `Password`: a password. `Totp`: a generator of time-based one-time ' +
    'passwords (RFC 6238). `RecoveryKey`: a key pair that only recovers the account',
});
export const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/, 'must be base64url text');
const CredId = z.string().min(1).max(1_400);
const ClientData = Base64Url.max(8_192);

export const ChallengeIdentifier = z.string().min(1).max(4_096).describe('`challengeIdentifier` of the challenge');
export const Attestation = z
  .enum(['none', 'indirect', 'direct', 'enterprise'])
  .describe('Attestation conveyance preference (WebAuthn); always `direct`');
export const UserVerification = z
  .enum(['required', 'preferred', 'discouraged'])
  .describe('User verification requirement (WebAuthn); always `required`');
export const RelyingParty = z
  .object({ id: z.string().describe('Domain of the pages that may use the passkeys'), name: z.string() })
  .meta({ id: 'RelyingParty', description: 'The relying party of passkeys (WebAuthn): this deployment' });
export const CredentialDescriptor = z
  .object({ type: z.literal('public-key'), id: z.string().describe('`credentialId` of the credential') })
  .meta({ id: 'CredentialDescriptor', description: 'A credential by its id, as WebAuthn describes it' });
export const CredentialOwner = z
  .object({
    id: z.string(),
    displayName: z.string().describe('Name of the user'),
    name: z.string().describe('User name'),
  })
  .meta({ id: 'CredentialOwner', description: 'The user who creates the credential, in the members of WebAuthn' });
export const CredentialParameters = z
  .object({
    type: z.literal('public-key'),
    alg: z.number().describe('COSE identifier of an algorithm: -7 (ES256), -8 (EdDSA) or -257 (RS256)'),
  })
  .meta({ id: 'CredentialParameters', description: 'A kind of key that a passkey may have (WebAuthn)' });
export const ResidentKey = z
  .enum(['required', 'preferred', 'discouraged'])
  .describe('Requirement of a discoverable passkey (WebAuthn); always `preferred`');
export const OtpUrl = z
  .string()
  .describe('`otpauth://` address with the seed of one-time passwords, for an authenticator app; only this response contains it');

const AllowedCredentials = z
  .object({
    key: z.array(CredentialDescriptor),
    passwordProtectedKey: z
      .array(
        z.object({
          type: z.literal('public-key'),
          id: z.string().describe('`credentialId` of the credential'),
          encryptedPrivateKey: z.string().describe('In the form in which the client encrypted it when it created the credential'),
        }),
      )
      .describe('Empty if the login was begun without a mailed code'),
    webauthn: z.array(CredentialDescriptor).describe('Passkeys'),
  })
  .meta({ id: 'AllowedCredentials', description: 'The credentials that may sign the challenge, by their kind' });

export const SigningChallenge = z
  .object({
    challenge: z.string().describe('Base64url; the client data of each signature repeats this text'),
    challengeIdentifier: z
      .string()
      .describe('Signed token that identifies the challenge, to be sent with the factors; valid for 5 minutes'),
    rp: RelyingParty.optional(),
    supportedCredentialKinds: z
      .array(
        z
          .object({
            kind: Kind,
            factor: z
              .enum(['first', 'second', 'either'])
              .describe('Whether a credential of this kind is accepted as the first factor, the second factor or either'),
            requiresSecondFactor: z
              .boolean()
              .describe('True if a first factor of this kind must be combined with a second factor'),
          })
          .meta({ id: 'SupportedCredentialKind' }),
      )
      .describe("For a user action, the kinds of the caller's credentials; for a login, every kind that can log in"),
    userVerification: UserVerification,
    attestation: Attestation,
    allowCredentials: AllowedCredentials,
    externalAuthenticationUrl: z.string().describe('Always empty'),
  })
  .meta({ id: 'SigningChallenge' });

const signed = {
  credId: CredId.describe('`credentialId` of the credential that signed'),
  clientData: ClientData.describe(
    'Base64url of the JSON that was signed: `type` `key.get`, `challenge`, and optionally `origin` and `crossOrigin` (`false`)',
  ),
  signature: Base64Url.max(4_096).describe('Base64url, over the exact bytes of the client data; an ECDSA signature is DER'),
};

export const KeyAssertion = z
  .strictObject({
    ...signed,
    algorithm: z
      .enum(['RSA-SHA256', 'SHA256', 'SHA512'])
      .optional()
      .describe('Digest of an ECDSA or RSA signature, SHA-256 by default; ignored for Ed25519'),
  })
  .meta({ id: 'KeyAssertion', description: 'The signature of a key pair over a challenge' });

const PasskeyAssertion = z
  .strictObject({
    ...signed,
    clientData: ClientData.describe('`clientDataJSON` of the authenticator (WebAuthn), base64url'),
    signature: signed.signature.describe('`signature` of the authenticator (WebAuthn), base64url'),
    // Accepted, because clients forward every member that the browser reports.
    algorithm: z.string().max(64).optional().describe('Ignored: the stored key decides the algorithm'),
    authenticatorData: Base64Url.max(8_192).describe('`authenticatorData` of the authenticator (WebAuthn), base64url'),
    // If an authenticator returns no user handle, clients send null or an empty string.
    userHandle: z
      .string()
      .max(256)
      .nullish()
      .transform((text) => text || undefined)
      .describe('Base64url of the user id; null or empty if the authenticator does not return it'),
  })
  .meta({ id: 'PasskeyAssertion', description: 'The signature of a passkey over a challenge (WebAuthn)' });

const SignedFactors = [
  z.strictObject({ kind: z.literal('Key'), credentialAssertion: KeyAssertion }).meta({ id: 'KeyFactor' }),
  z
    .strictObject({ kind: z.literal('PasswordProtectedKey'), credentialAssertion: KeyAssertion })
    .meta({ id: 'PasswordProtectedKeyFactor' }),
  z.strictObject({ kind: z.literal('Fido2'), credentialAssertion: PasskeyAssertion }).meta({ id: 'PasskeyFactor' }),
] as const;

export const FirstFactor = z
  .discriminatedUnion('kind', [
    ...SignedFactors,
    z
      .strictObject({ kind: z.literal('Password'), password: z.string().min(1).max(PASSWORD_LENGTH_MAX) })
      .meta({ id: 'PasswordFactor', description: 'Must be combined with a second factor' }),
  ])
  .meta({ id: 'FirstFactor' });

export const SecondFactor = z
  .discriminatedUnion('kind', [
    ...SignedFactors,
    z
      .strictObject({
        kind: z.literal('Totp'),
        otpCode: z
          .string()
          .min(1)
          .max(16)
          .describe('Six digits; a one-time password is accepted only once, and up to 30 seconds early or late'),
      })
      .meta({ id: 'TotpFactor' }),
  ])
  .meta({ id: 'SecondFactor' });

/** The signed response to a challenge (published interface: `SignedChallengeBody`). */
export const SignedChallenge = z
  .strictObject({
    challengeIdentifier: ChallengeIdentifier,
    firstFactor: FirstFactor,
    secondFactor: SecondFactor.optional().describe(
      'Required with a password; must be a different credential from the first factor',
    ),
  })
  .meta({ id: 'SignedChallenge', description: 'The response to a `SigningChallenge`' });

const AttestationInfo = z
  .strictObject({
    credId: CredId.describe('Chosen by the authenticator or the client; unique in the organisation'),
    clientData: ClientData.describe(
      'Base64url: `clientDataJSON` of a passkey (WebAuthn); for a key pair, JSON with `type` `key.create` and `challenge`',
    ),
    attestationData: Base64Url.max(65_536).describe(
      'Base64url: the attestation object of a passkey (WebAuthn); for a key pair, JSON with `publicKey` (PEM or one line of OpenSSH), ' +
        '`signature` in hex, and `algorithm` (`SHA256` by default). The signature is over the JSON text ' +
        '`{"clientDataHash":…,"publicKey":…}` without spaces, with the SHA-256 of the client data in lower-case hex',
    ),
  })
  .meta({ id: 'CredentialAttestation', description: 'The proof that the client holds the private key of a new credential' });
const EncryptedPrivateKey = z
  .string()
  .min(1)
  .max(16_384)
  .describe('The private key, encrypted by the client; the service stores it and cannot decrypt it');

/** The members of a new credential, by kind. */
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
    credentialInfo: z
      .strictObject({ password: z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX) })
      .meta({ id: 'PasswordInfo' }),
  },
  Totp: {
    credentialKind: z.literal('Totp'),
    credentialInfo: z
      .strictObject({
        otpCode: z
          .string()
          .regex(/^\d{6}$/, 'must be six digits')
          .describe('A current one-time password computed from the seed in `otpUrl`'),
      })
      .meta({ id: 'TotpInfo' }),
  },
} as const;

export const CredentialName = z.string().min(1).max(100);
const named = { credentialName: CredentialName.optional().describe('By default, the kind of the credential') };
const { Fido2, Key, PasswordProtectedKey, RecoveryKey, Password, Totp } = ATTESTATIONS;
const NewSigningCredentials = [
  z.strictObject({ ...Fido2, ...named }).meta({ id: 'NewPasskey' }),
  z.strictObject({ ...Key, ...named }).meta({ id: 'NewKeyCredential' }),
  z.strictObject({ ...PasswordProtectedKey, ...named }).meta({ id: 'NewPasswordProtectedKey' }),
] as const;

/** Published interface: `RegistrationBody`. */
export const NewCredentials = z
  .strictObject({
    firstFactorCredential: z
      .discriminatedUnion('credentialKind', [
        ...NewSigningCredentials,
        z
          .strictObject({ ...Password, ...named })
          .meta({ id: 'NewPassword', description: 'Must be combined with a second factor' }),
      ])
      .meta({ id: 'NewFirstFactor' }),
    secondFactorCredential: z
      .discriminatedUnion('credentialKind', [
        ...NewSigningCredentials,
        z.strictObject({ ...Totp, ...named }).meta({ id: 'NewTotp' }),
      ])
      .meta({ id: 'NewSecondFactor' })
      .optional()
      .describe('Required if the first factor is a password'),
    recoveryCredential: z
      .strictObject({ ...RecoveryKey, ...named })
      .meta({ id: 'NewRecoveryKey' })
      .optional()
      .describe('A user without a recovery key cannot begin a recovery'),
  })
  .meta({ id: 'NewCredentials', description: 'The credentials of a user, each with a key and a credential id of its own' });

export const Message = z
  .object({ message: z.string().describe('For people to read; its wording may change') })
  .meta({ id: 'Message' });

export const SessionToken = z
  .object({ token: z.string().describe("Bearer token of a session, valid for `sessionMinutes` of the organisation's settings") })
  .meta({ id: 'SessionToken' });
