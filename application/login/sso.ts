import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { isId } from '../../domain/ids';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { Tx } from '../../entities/database';
import type { UserEntity } from '../../entities/users/user.entity';
import { sha256Hex } from '../../platform/digests';
import type { IdentityProviders } from '../../platform/identity-providers';
import { newId } from '../../platform/ids';
import { ProviderUnavailableError } from '../../platform/provider-directory';
import type { SecretBox } from '../../platform/secret-box';
import { unauthorized } from '../access-tokens/tokens';
import type { Services } from '../services';
import type { IdentityServices } from '../users/identity-services';
import { personOf, type Welcome } from './oidc-people';
import { clientOf, findOidcSettings, type OidcSettings } from './oidc-settings';

export type SsoServices = Pick<Services, 'db'> &
  Pick<IdentityServices, 'relyingParty'> & { readonly identityProviders: IdentityProviders; readonly ssoSecrets: SecretBox };

/** A sign-in can be completed only with the pair of operations that has begun the sign-in. */
export type SsoPair = 'Sso' | 'Oidc';

type Begin = { readonly orgId: string; readonly clientId: string; readonly redirectUri: string };
type Complete = { readonly code: string; readonly state: string; readonly iss?: string | undefined };

const SIGN_IN_MS = 10 * 60_000;
const SECRET_BYTES = 32;
const EMPLOYEES = ['CustomerEmployee', 'TenantUser'] as const;

const Data = z.object({
  pair: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  sealed: z.string(),
});
const Secrets = z.object({ nonce: z.string(), codeVerifier: z.string() });

/**
 * Returns the URL at which the sign-in continues. Throws `InvalidRequest` and `IdentityProviderUnavailable`. Throws
 * `Unauthorized` for an organisation that does not exist, has no provider or has a different client.
 */
export async function beginSso(services: SsoServices, { orgId, clientId, redirectUri }: Begin, pair: SsoPair): Promise<string> {
  assertOwnPage(services, redirectUri);
  const { provider } = await findOidcSettings(services.db.read(orgId), orgId);
  if (provider?.clientId !== clientId) throw unauthorized();

  const id = newId('challenge');
  const [nonce, codeVerifier] = [secret(), secret()];
  const state = `${orgId}.${id}.${secret()}`;
  const request = { redirectUri, state, nonce, codeVerifier };
  const url = await asked(() => services.identityProviders.authorizationUrl(clientOf(services, orgId, provider), request));
  const sealed = services.ssoSecrets.seal(JSON.stringify({ nonce, codeVerifier }), contextOf(orgId, id));
  const data = { pair, issuer: provider.issuer, clientId, redirectUri, sealed };
  await services.db.withOrg(orgId, async (tx) => {
    const dateExpires = new Date((await tx.clock()).getTime() + SIGN_IN_MS);
    await challengeStore.add(tx, { id, kind: 'Oidc', userId: null, challenge: sha256Hex(state), data, dateExpires });
  });
  return url;
}

/**
 * `welcome` runs in the transaction in which the user is recognised, bound or admitted. The state is used up first, so that a
 * provider's code is exchanged only once, even after a failure. Throws `IdentityProviderUnavailable` if the provider cannot be
 * reached, and the same `Unauthorized` for every other fault.
 */
export async function completeSso<T>(
  services: SsoServices,
  { code, state, iss }: Complete,
  pair: SsoPair,
  welcome: (tx: Tx, person: UserEntity) => Promise<T>,
): Promise<T> {
  const { db, ssoSecrets, identityProviders } = services;
  const [orgId = '', id = ''] = state.split('.');
  if (!isId('organization', orgId) || !isId('challenge', id)) throw unauthorized();
  const { begun, settings } = await begunSignIn(services, orgId, id);
  const data = Data.safeParse(begun?.data).data;
  const { provider } = settings;
  if (!begun || !data || begun.challenge !== sha256Hex(state) || data.pair !== pair) throw unauthorized();
  if (!provider || provider.issuer !== data.issuer || provider.clientId !== data.clientId) throw unauthorized();
  if (!(await db.withOrg(orgId, (tx) => challengeStore.consume(tx, id)))) throw unauthorized();

  const secrets = Secrets.parse(JSON.parse(ssoSecrets.open(data.sealed, contextOf(orgId, id))));
  const answer = { code, state, iss, redirectUri: data.redirectUri, ...secrets };
  const identity = await asked(() => identityProviders.redeem(clientOf(services, orgId, provider), answer));
  if (!identity) throw unauthorized();
  return db.withOrg(orgId, async (tx) => {
    const person = await personOf(tx, identity, welcomeOf(provider));
    if (!person) throw unauthorized();
    return welcome(tx, person);
  });
}

/** The two queries go to the database in one message. */
async function begunSignIn({ db }: SsoServices, orgId: string, id: string) {
  const reader = db.read(orgId);
  const [begun, settings] = await Promise.all([challengeStore.findOpen(reader, id, 'Oidc'), findOidcSettings(reader, orgId)]);
  return { begun, settings };
}

/** A user whom a sign-in creates must always use the provider, and so loses access when the provider removes the user. */
function welcomeOf({ emailDomains, onboardsNewUsers }: NonNullable<OidcSettings['provider']>): Welcome {
  const newcomer = onboardsNewUsers ? ({ kind: 'CustomerEmployee', isSsoRequired: true } as const) : undefined;
  return { kinds: EMPLOYEES, emailDomains, newcomer };
}

/** Throws `InvalidRequest` unless the URL is a page of this deployment. The provider sends its code to that page. */
function assertOwnPage({ relyingParty }: SsoServices, redirectUri: string): void {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const own = url && relyingParty.origins.includes(url.origin) && url.username === '' && url.password === '' && url.hash === '';
  if (own) return;
  const message = 'must be an address of an allowed origin, without fragment';
  throw fieldFault('body.redirectUri', message);
}

/** Throws `IdentityProviderUnavailable` if the provider cannot be reached. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    throw new AppError('IdentityProviderUnavailable', 'The identity provider cannot be asked right now', {}, error);
  }
}

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const contextOf = (orgId: string, id: string): string => JSON.stringify(['sign-in', orgId, id]);
