import { z } from 'zod';

export const OrgId = z
  .string()
  .max(64)
  .regex(/^or-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of an organisation');

/** Starts a sign-in at the organisation's identity provider. */
export const SignInRequest = z.strictObject({
  orgId: OrgId,
  clientId: z.string().min(1).max(255),
  redirectUri: z.url({ protocol: /^https?$/ }).max(2_000),
});

export const SignInAddress = z.object({ ssoRedirectUrl: z.string() });

/** The provider's redirect back to the page. */
export const SignInAnswer = z.strictObject({ code: z.string().min(1).max(4_096), state: z.string().min(1).max(512) });

export const IdTokenBody = z.strictObject({
  orgId: OrgId.optional(),
  socialLoginProviderKind: z.literal('Oidc'),
  idToken: z.string().min(1).max(16_384),
});

export const SessionToken = z.object({ token: z.string() });
