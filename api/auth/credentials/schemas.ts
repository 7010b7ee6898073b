import { z } from 'zod';
import { ATTESTATIONS, CredentialName, Kind } from '../schemas';

export const Credential = z
  .object({
    kind: Kind,
    credentialId: z.string(),
    credentialUuid: z.string(),
    dateCreated: z.iso.datetime(),
    isActive: z.boolean(),
    name: z.string(),
    publicKey: z.string(),
    relyingPartyId: z.string(),
    origin: z.string(),
  })
  .meta({ id: 'Credential' });

const described = { type: z.literal('public-key') };
const begun = {
  user: z.object({ id: z.string(), displayName: z.string(), name: z.string() }),
  challengeIdentifier: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }).optional(),
  temporaryAuthenticationToken: z.string().meta({ deprecated: true }),
};
const signing = {
  ...begun,
  challenge: z.string(),
  attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']),
  pubKeyCredParams: z.array(z.object({ ...described, alg: z.number() })),
};
const Wanted = z.enum(['required', 'preferred', 'discouraged']);

export const CredentialChallenge = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('Fido2'),
      ...signing,
      authenticatorSelection: z.object({
        authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
        residentKey: Wanted,
        requireResidentKey: z.boolean(),
        userVerification: Wanted,
      }),
      excludeCredentials: z.array(z.object({ ...described, id: z.string() })),
    }),
    z.object({ kind: z.literal('Key'), ...signing }),
    z.object({ kind: z.literal('PasswordProtectedKey'), ...signing }),
    z.object({ kind: z.literal('RecoveryKey'), ...signing }),
    z.object({ kind: z.literal('Password'), ...begun }),
    z.object({ kind: z.literal('Totp'), ...begun, otpUrl: z.string() }),
  ])
  .meta({ id: 'CredentialChallenge' });

const { Fido2, Key, PasswordProtectedKey, RecoveryKey, Password, Totp } = ATTESTATIONS;
const named = { credentialName: CredentialName, challengeIdentifier: z.string().min(1).max(4_096) };

export const CredentialBody = z
  .discriminatedUnion('credentialKind', [
    z.strictObject({ ...Fido2, ...named }),
    z.strictObject({ ...Key, ...named }),
    z.strictObject({ ...PasswordProtectedKey, ...named }),
    z.strictObject({ ...RecoveryKey, ...named }),
    z.strictObject({ ...Password, ...named }),
    z.strictObject({ ...Totp, ...named }),
  ])
  .meta({ id: 'CredentialBody' });

const CredentialUuid = z.string().min(1).max(64);

export const NamedCredential = z.strictObject({ credentialUuid: CredentialUuid });
