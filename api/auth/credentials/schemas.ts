import { z } from 'zod';
import { activeMax } from '../../../domain/credentials';
import {
  ATTESTATIONS,
  Attestation,
  ChallengeIdentifier,
  CredentialDescriptor,
  CredentialName,
  CredentialOwner,
  CredentialParameters,
  Kind,
  OtpUrl,
  RelyingParty,
  ResidentKey,
  UserVerification,
} from '../schemas';

export const Credential = z
  .object({
    kind: Kind,
    credentialId: z.string().describe('The id by which the authenticator or the client identifies the credential'),
    credentialUuid: z.string().describe('The id by which operations of this interface identify the credential'),
    dateCreated: z.iso.datetime(),
    isActive: z.boolean().describe('A deactivated credential neither logs in nor signs until its owner reactivates it'),
    name: z.string(),
    publicKey: z
      .string()
      .describe('SPKI in PEM for a key pair, a COSE key in base64url for a passkey; empty for `Password` and `Totp`'),
    relyingPartyId: z.string().describe('Domain of a passkey; empty for every other kind'),
    origin: z.string().describe('Origin of the page that created the credential, from its client data; may be empty'),
  })
  .meta({ id: 'Credential' });

const begun = {
  user: CredentialOwner,
  challengeIdentifier: z
    .string()
    .describe('Signed token that identifies the challenge, to be sent with the credential; valid once, for 15 minutes'),
  rp: RelyingParty.optional(),
  temporaryAuthenticationToken: z.string().meta({ deprecated: true, description: 'Repeats `challengeIdentifier`' }),
};
const signing = {
  ...begun,
  challenge: z.string().describe('Base64url; the client data of the new credential repeats this text'),
  attestation: Attestation,
  pubKeyCredParams: z.array(CredentialParameters),
};

export const CredentialChallenge = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('Fido2'),
        ...signing,
        authenticatorSelection: z
          .object({
            authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().describe('If absent, either is accepted'),
            residentKey: ResidentKey,
            requireResidentKey: z.boolean(),
            userVerification: UserVerification,
          })
          .meta({ id: 'PasskeySelection' }),
        excludeCredentials: z.array(CredentialDescriptor).describe('The passkeys that the user already has'),
      })
      .meta({ id: 'PasskeyChallenge' }),
    z.object({ kind: z.literal('Key'), ...signing }).meta({ id: 'KeyChallenge' }),
    z.object({ kind: z.literal('PasswordProtectedKey'), ...signing }).meta({ id: 'PasswordProtectedKeyChallenge' }),
    z.object({ kind: z.literal('RecoveryKey'), ...signing }).meta({ id: 'RecoveryKeyChallenge' }),
    z.object({ kind: z.literal('Password'), ...begun }).meta({ id: 'PasswordChallenge' }),
    z.object({ kind: z.literal('Totp'), ...begun, otpUrl: OtpUrl }).meta({ id: 'TotpChallenge' }),
  ])
  .meta({ id: 'CredentialChallenge' });

const { Fido2, Key, PasswordProtectedKey, RecoveryKey, Password, Totp } = ATTESTATIONS;
const named = { credentialName: CredentialName, challengeIdentifier: ChallengeIdentifier };

export const CredentialBody = z
  .discriminatedUnion('credentialKind', [
    z.strictObject({ ...Fido2, ...named }).meta({ id: 'PasskeyBody' }),
    z.strictObject({ ...Key, ...named }).meta({ id: 'KeyCredentialBody' }),
    z.strictObject({ ...PasswordProtectedKey, ...named }).meta({ id: 'PasswordProtectedKeyBody' }),
    z.strictObject({ ...RecoveryKey, ...named }).meta({ id: 'RecoveryKeyBody' }),
    z.strictObject({ ...Password, ...named }).meta({ id: 'PasswordCredentialBody' }),
    z.strictObject({ ...Totp, ...named }).meta({ id: 'TotpCredentialBody' }),
  ])
  .meta({ id: 'CredentialBody' });

const CredentialUuid = z.string().min(1).max(64).describe('`credentialUuid` of a credential of the caller');

export const NamedCredential = z.strictObject({ credentialUuid: CredentialUuid });

export const CREDENTIAL_LIMITS =
  `A user has at most ${activeMax('Key')} active credentials of each kind with a key pair, and at most ` +
  `${activeMax('Password')} each of \`Password\` and \`Totp\`.`;
