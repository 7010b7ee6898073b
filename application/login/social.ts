import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { oidcStore } from '../../entities/oidc/oidc.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { sha256Hex } from '../../platform/digests';
import type { VerifiedIdToken } from '../../platform/identity-providers';
import { unauthorized } from '../access-tokens/tokens';
import { personOf } from './oidc-people';
import { findOidcSettings } from './oidc-settings';
import { asked, type SsoServices } from './sso';

type SocialServices = Pick<SsoServices, 'db' | 'identityProviders'>;
type Brought = { readonly orgId?: string | undefined; readonly idToken: string };

/** No organisation has this id, so no provider is found. */
const NO_ORGANIZATION = '';
const END_USERS = ['EndUser'] as const;

/**
 * `welcome` runs in the transaction that uses up the token. Throws `IdentityProviderUnavailable` if the provider cannot be
 * reached, and the same `Unauthorized` for every other fault.
 */
export async function loginSocially<T>(
  services: SocialServices,
  brought: Brought,
  welcome: (tx: Tx, person: UserEntity) => Promise<T>,
): Promise<T> {
  return withIdentity(services, brought, 'login', async (tx, identity) => {
    const person = await personOf(tx, identity, { kinds: END_USERS });
    if (!person?.isRegistered) throw unauthorized();
    return welcome(tx, person);
  });
}

/**
 * `welcome` begins the registration in the transaction that uses up the token. Throws `Unauthorized` and
 * `IdentityProviderUnavailable`. Throws `UserExists` for a registered user.
 */
export async function registerSocially<T>(
  services: SocialServices,
  brought: Brought,
  welcome: (tx: Tx, person: UserEntity) => Promise<T>,
): Promise<T> {
  return withIdentity(services, brought, 'registration', async (tx, identity) => {
    const newcomer = { kind: 'EndUser', isSsoRequired: false } as const;
    const person = await personOf(tx, identity, { kinds: END_USERS, newcomer });
    if (!person) throw unauthorized();
    // Only the person whom the provider has just identified learns that the user exists.
    if (person.isRegistered) throw new AppError('UserExists', 'User already exists.');
    return welcome(tx, person);
  });
}

/**
 * An id token can be used once per purpose, so that an eavesdropper cannot use the token again. An app whose login finds no user
 * can still register with the same token. The signed content identifies the token, because the same signature can be encoded in
 * several ways.
 */
async function withIdentity<T>(
  { db, identityProviders }: SocialServices,
  { orgId = NO_ORGANIZATION, idToken }: Brought,
  purpose: 'login' | 'registration',
  work: (tx: Tx, identity: VerifiedIdToken) => Promise<T>,
): Promise<T> {
  const { socialProviders } = await findOidcSettings(db.read(orgId), orgId);
  const identity = await asked(async () => {
    const provider = socialProviders.find(({ issuer }) => issuer === identityProviders.claimedIssuer(idToken));
    if (!provider) return identityProviders.verifyDecoy(idToken);
    return identityProviders.verify(provider.issuer, idToken, provider);
  });
  if (!identity) throw unauthorized();
  const id = `${purpose}/${sha256Hex(idToken.slice(0, idToken.lastIndexOf('.')))}`;
  return db.withOrg(orgId, async (tx) => {
    if (!(await oidcStore.useIdToken(tx, id, identity.dateExpires))) throw unauthorized();
    return work(tx, identity);
  });
}
