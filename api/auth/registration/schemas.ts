import { z } from 'zod';
import { Kind } from '../schemas';

const KeyOf = z.object({ type: z.literal('public-key'), id: z.string() });

/** Members of a challenge for a person's first credentials or for those after a recovery. */
export const RegistrationChallenge = z
  .object({
    user: z.object({ id: z.string(), displayName: z.string(), name: z.string() }),
    temporaryAuthenticationToken: z.string(),
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }).optional(),
    supportedCredentialKinds: z.object({ firstFactor: z.array(Kind), secondFactor: z.array(Kind) }),
    authenticatorSelection: z.object({
      residentKey: z.enum(['required', 'preferred', 'discouraged']),
      requireResidentKey: z.boolean(),
      userVerification: z.enum(['required', 'preferred', 'discouraged']),
    }),
    attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
    excludeCredentials: z.array(KeyOf),
    otpUrl: z.string(),
  })
  .meta({ id: 'RegistrationChallenge' });

const REGISTERED = {
  credential: z.object({ uuid: z.string(), kind: Kind, name: z.string() }),
  user: z.object({ id: z.string(), username: z.string(), orgId: z.string() }),
};

export const RegisteredUser = z.object(REGISTERED).meta({ id: 'RegisteredUser' });
export const RegisteredEndUser = z.object({ ...REGISTERED, authentication: z.object({ token: z.string() }) });

/** A user name as a caller gives it. Any text is looked up, so only its length is checked. */
export const SaidUsername = z.string().min(1).max(256);
export const SaidOrgId = z.string().min(1).max(64);
