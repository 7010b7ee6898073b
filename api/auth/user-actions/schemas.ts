import { z } from 'zod';

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/, 'must be base64url text');
const AllowedKey = z.object({ type: z.literal('public-key'), id: z.string() });

export const SigningChallenge = z
  .object({
    challenge: z.string(),
    challengeIdentifier: z.string(),
    supportedCredentialKinds: z.array(
      z.object({ kind: z.literal('Key'), factor: z.enum(['first', 'second', 'either']), requiresSecondFactor: z.boolean() }),
    ),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
    attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']),
    allowCredentials: z.object({
      key: z.array(AllowedKey),
      passwordProtectedKey: z.array(AllowedKey.extend({ encryptedPrivateKey: z.string() })),
      webauthn: z.array(AllowedKey),
    }),
    externalAuthenticationUrl: z.string(),
  })
  .meta({ id: 'SigningChallenge' });

/** A request as it will be sent: an announced path with a query could never match, since the query is not bound. */
export const AnnouncedRequest = z.strictObject({
  userActionServerKind: z.literal('Api').optional(),
  userActionHttpMethod: z.enum(['POST', 'PUT', 'DELETE', 'GET']),
  userActionHttpPath: z
    .string()
    .max(2_048)
    .regex(/^\/[!-~]*$/, 'must be a percent-encoded path that begins with /')
    .regex(/^[^?#]*$/, 'must be the path alone, without query or fragment'),
  userActionPayload: z.string(),
});

export const KeyFactor = z.strictObject({
  kind: z.literal('Key', { error: 'only Key credentials sign user actions here' }),
  credentialAssertion: z.strictObject({
    credId: z.string().min(1).max(512),
    clientData: Base64Url.max(8_192),
    signature: Base64Url.max(4_096),
    algorithm: z.enum(['RSA-SHA256', 'SHA256', 'SHA512']).optional(),
  }),
});
