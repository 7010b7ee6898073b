import type { Caller } from '../../domain/callers';
import { MINUTE_MS } from '../../domain/durations';
import { AppError } from '../../domain/errors';
import { sessionStore } from '../../entities/access-tokens/session.store';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { signInStore } from '../../entities/users/sign-in.store';
import { userStore } from '../../entities/users/user.store';
import type { TokenKeys } from '../../platform/token-keys';
import { issueToken } from '../access-tokens/tokens';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { findOidcSettings } from './oidc-settings';

/** Returns the bearer token. `openedBy` is the row id of the credential that proved the user's identity. */
export async function openSession(tx: Tx, keys: TokenKeys, userId: string, openedBy?: string): Promise<string> {
  const { sessionMinutes } = await organizationStore.settings(tx, tx.orgId);
  const opened = openedBy === undefined ? { userId } : { userId, openedBy };
  const { token } = await issueToken(tx, keys, { ...opened, kind: 'Token', lifetimeMs: sessionMinutes * MINUTE_MS });
  return token;
}

/** Undefined if the organisation has no identity provider. */
export async function ssoClientId(tx: Tx): Promise<string | undefined> {
  return (await findOidcSettings(tx, tx.orgId)).provider?.clientId;
}

/** Every process refuses the next request of an ended session. */
export async function logOut({ db }: Pick<Services, 'db'>, { orgId, ...caller }: Caller, allSessions: boolean): Promise<void> {
  await db.withOrg(orgId, (tx) => (allSessions ? sessionStore.endAll(tx, caller.userId) : sessionStore.end(tx, caller)));
}

/**
 * Opens a session for the program that serves the end user. The session can only read, because changes need the user's own
 * signature. Throws `UserDeactivated`. Throws `UserNotFound` if no registered end user has the name.
 */
export async function delegateLogin(
  services: Pick<Services, 'db'> & { readonly tokens: TokenKeys },
  authority: Authority,
  username: string,
): Promise<string> {
  return act(services.db, authority, async (tx) => {
    const user = await userStore.findByUsername(tx, username);
    if (user?.kind !== 'EndUser' || !user.isRegistered) throw new AppError('UserNotFound', 'User not found');
    if (!(await signInStore.hold(tx, user.id))) throw new AppError('UserDeactivated', 'User account has been deactivated.');
    return openSession(tx, services.tokens, user.id);
  });
}
