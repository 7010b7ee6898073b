import { z } from 'zod';

export const OrgId = z
  .string()
  .max(64)
  .regex(/^or-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/, 'must be the id of an organisation')
  .describe('Id of the organisation');

export const SignInRequest = z
  .strictObject({
    orgId: OrgId,
    clientId: z.string().min(1).max(255).describe("This service as a client of the organisation's identity provider"),
    redirectUri: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe(
        'Page to which the provider redirects the user: an http or https address on an allowed origin of this deployment, ' +
          'without user name, password or fragment',
      ),
  })
  .meta({ id: 'SignInRequest' });

export const SignInAddress = z
  .object({ ssoRedirectUrl: z.string().describe('Page of the identity provider where the user continues; valid for 10 minutes') })
  .meta({ id: 'SignInAddress' });

export const SignInAnswer = z.strictObject({
  code: z.string().min(1).max(4_096).describe('`code` from the redirect'),
  state: z.string().min(1).max(512).describe('`state` from the redirect'),
});

export const IdTokenBody = z
  .strictObject({
    orgId: OrgId.optional().describe('Required, because no provider is trusted without an organisation'),
    socialLoginProviderKind: z.literal('Oidc'),
    idToken: z
      .string()
      .min(1)
      .max(16_384)
      .describe('OpenID Connect ID token (JWT), issued within the last hour and signed asymmetrically'),
  })
  .meta({ id: 'IdTokenBody' });
