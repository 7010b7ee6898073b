import { z } from 'zod';
import { fieldFault } from '../../domain/field-faults';
import type { Reader } from '../../entities/database';
import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import type { IdentityProviders } from '../../platform/identity-providers';
import type { OidcClient } from '../../platform/provider-directory';
import type { SecretBox } from '../../platform/secret-box';

const Issuer = z
  .string()
  .min(1)
  .max(500)
  .describe('The OpenID Connect issuer exactly as the provider reports it: an https address without query and fragment');
const ClientId = z.string().min(1).max(255);
const EmailDomain = z
  .string()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, 'must be a domain in lower case');
const SocialProvider = z
  .strictObject({
    issuer: Issuer,
    audiences: z.array(ClientId).min(1).max(20).describe('The client IDs whose ID tokens are accepted'),
  })
  .meta({ id: 'SocialProvider', description: 'An identity provider; end users sign in with the ID tokens of this provider' });
const Provider = {
  issuer: Issuer,
  clientId: ClientId,
  emailDomains: z
    .array(EmailDomain)
    .min(1)
    .max(50)
    .describe('Only people with a verified e-mail address in one of these domains are admitted or recognised'),
  onboardsNewUsers: z.boolean().describe('Whether an unknown person becomes a user, without permissions, at the first sign-in'),
};

const Stored = z.object({
  provider: z
    .object({ ...Provider, sealedClientSecret: z.string().nullable() })
    .nullable()
    .default(null),
  socialProviders: z.array(z.object(SocialProvider.shape)).default([]),
});

/** Omitted members stay unchanged. An omitted client secret is kept only for the same client of the same issuer. */
export const OidcSettingsInput = z.strictObject({
  provider: z
    .strictObject({
      ...Provider,
      onboardsNewUsers: Provider.onboardsNewUsers.default(false),
      clientSecret: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe(
          'Stored encrypted and never returned. If omitted, the stored secret is kept only for the same issuer and clientId',
        ),
    })
    .nullable()
    .optional()
    .describe('The provider of the employees; null removes it'),
  socialProviders: z.array(SocialProvider).max(20).optional().describe('Replaces the list; each issuer occurs once'),
});

/** Administrators never receive the client secret. */
export const OidcSettingsView = z.object({
  provider: z
    .object({ ...Provider, hasClientSecret: z.boolean().describe('Whether a client secret is stored') })
    .nullable()
    .describe('The provider of the employees; null if there is none'),
  socialProviders: z.array(SocialProvider),
});

export type OidcSettings = z.output<typeof Stored>;
type Provider = NonNullable<OidcSettings['provider']>;

/** The member of the organisation's settings that contains the sign-in settings. */
export const OIDC_SETTING = 'sso';

const NONE: OidcSettings = { provider: null, socialProviders: [] };

/** Settings that cannot be parsed admit no user. */
export function oidcSettingsOf(stored: Readonly<Record<string, unknown>>): OidcSettings {
  return Stored.safeParse(stored[OIDC_SETTING] ?? {}).data ?? NONE;
}

/** For an organisation that does not exist, the same query runs and the settings are empty. */
export async function findOidcSettings(reader: Reader, orgId: string): Promise<OidcSettings> {
  const row = await reader.row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);
  return oidcSettingsOf(row?.settings ?? {});
}

export function oidcSettingsView({ provider, socialProviders }: OidcSettings): z.input<typeof OidcSettingsView> {
  if (!provider) return { provider, socialProviders };
  const { sealedClientSecret, ...shown } = provider;
  return { provider: { ...shown, hasClientSecret: sealedClientSecret !== null }, socialProviders };
}

type Sealing = { readonly ssoSecrets: SecretBox; readonly identityProviders: IdentityProviders };

/** Throws `InvalidRequest` for an issuer that this service may not call, and for an issuer that occurs twice. */
export function changedOidcSettings(
  { ssoSecrets, identityProviders }: Sealing,
  orgId: string,
  before: OidcSettings,
  { provider, socialProviders }: z.output<typeof OidcSettingsInput>,
): OidcSettings {
  const issuers = [
    ...(provider ? [['provider.issuer', provider.issuer] as const] : []),
    ...(socialProviders ?? []).map(({ issuer }, index) => [`socialProviders.${index}.issuer`, issuer] as const),
  ];
  for (const [path, issuer] of issuers) {
    const refusal = identityProviders.refusal(issuer);
    if (refusal !== undefined) throw invalid(path, refusal);
  }
  const social = socialProviders ?? before.socialProviders;
  if (new Set(social.map(({ issuer }) => issuer)).size < social.length) throw invalid('socialProviders', 'names an issuer twice');
  return { provider: provider === undefined ? before.provider : sealed(provider), socialProviders: social };

  function sealed(given: typeof provider): Provider | null {
    if (!given) return null;
    const { clientSecret, ...rest } = given;
    // The secret is kept only for the same client. Otherwise a change of the settings could give another provider the secret.
    const same = before.provider?.issuer === rest.issuer && before.provider.clientId === rest.clientId;
    const kept = same ? (before.provider?.sealedClientSecret ?? null) : null;
    const secret = clientSecret === undefined ? kept : ssoSecrets.seal(clientSecret, contextOf(orgId, rest));
    return { ...rest, sealedClientSecret: secret };
  }
}

const invalid = (path: string, message: string) => fieldFault(`body.sso.${path}`, message);

/** Decrypts the client secret. */
export function clientOf({ ssoSecrets }: Pick<Sealing, 'ssoSecrets'>, orgId: string, provider: Provider): OidcClient {
  const { issuer, clientId, sealedClientSecret } = provider;
  const clientSecret =
    sealedClientSecret === null ? undefined : ssoSecrets.open(sealedClientSecret, contextOf(orgId, { issuer, clientId }));
  return { issuer, clientId, clientSecret };
}

/**
 * Binds the secret to the organisation, the issuer and the client. With an altered issuer the secret cannot be decrypted, so it
 * cannot reach another provider.
 */
const contextOf = (orgId: string, { issuer, clientId }: Pick<Provider, 'issuer' | 'clientId'>) =>
  JSON.stringify(['sso', orgId, issuer, clientId]);
