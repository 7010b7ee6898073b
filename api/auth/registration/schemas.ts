import { z } from 'zod';
import { RATE_LIMITS } from '../../../domain/rate-limits';
import {
  Attestation,
  CredentialDescriptor,
  CredentialOwner,
  CredentialParameters,
  Kind,
  OtpUrl,
  RelyingParty,
  ResidentKey,
  SessionToken,
  UserVerification,
} from '../schemas';

/** For the first credentials of a user, or for the new credentials of a recovery. */
export const RegistrationChallenge = z
  .object({
    user: CredentialOwner,
    temporaryAuthenticationToken: z
      .string()
      .describe('Bearer token of the operation that completes the registration or the recovery; valid once, for 30 minutes'),
    challenge: z.string().describe('Base64url; the client data of each new credential repeats this text'),
    rp: RelyingParty.optional(),
    supportedCredentialKinds: z
      .object({ firstFactor: z.array(Kind), secondFactor: z.array(Kind) })
      .meta({ id: 'SupportedCredentialKinds', description: 'The kinds of credentials that each place accepts' }),
    authenticatorSelection: z
      .object({ residentKey: ResidentKey, requireResidentKey: z.boolean(), userVerification: UserVerification })
      .meta({ id: 'AuthenticatorSelection', description: 'The authenticators that may create a passkey (WebAuthn)' }),
    attestation: Attestation,
    pubKeyCredParams: z.array(CredentialParameters),
    excludeCredentials: z.array(CredentialDescriptor).describe('Always empty'),
    otpUrl: OtpUrl,
  })
  .meta({ id: 'RegistrationChallenge' });

const REGISTERED = {
  credential: z
    .object({ uuid: z.string().describe('`credentialUuid` of the credential'), kind: Kind, name: z.string() })
    .meta({ id: 'RegisteredCredential', description: 'The credential of the first factor' }),
  user: z
    .object({ id: z.string(), username: z.string(), orgId: z.string() })
    .meta({ id: 'UserIdentity', description: 'The user to whom the new credentials belong' }),
};

export const RegisteredUser = z.object(REGISTERED).meta({ id: 'RegisteredUser' });
export const RegisteredEndUser = z.object({ ...REGISTERED, authentication: SessionToken });

/** The service can look up any text, so this schema checks only the length. */
export const SaidUsername = z.string().min(1).max(256).describe('User name, regardless of case');
export const SaidOrgId = z.string().min(1).max(64).describe('Id of the organisation');

export const CodeRequest = z.strictObject({ username: SaidUsername, orgId: SaidOrgId }).meta({ id: 'CodeRequest' });

const { named, address } = RATE_LIMITS.Mail;
export const MAIL_LIMITS =
  `By default, at most ${named.requests} such requests an hour may name one user, and at most ${address.requests} may ` +
  'come from one address; further requests return `RateLimited` (429).';
