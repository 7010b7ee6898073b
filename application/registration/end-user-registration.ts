import { AppError } from '../../domain/errors';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { TokenClaims } from '../../platform/token-keys';
import type { NewCredentials } from '../credentials/new-credentials';
import { openSession } from '../login/sessions';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { insertDelegatedWallets, whenReady } from '../wallets/create-wallet';
import {
  beginRegistration,
  completeRegistration,
  type RegistrationChallenge,
  type RegistrationServices,
  registrationOf,
} from './registration';

type NewEndUser = { readonly email: string; readonly externalId?: string | undefined };

/**
 * Adds an end user, or finds an end user who has not registered yet, and begins the registration. Throws `UserDeactivated`.
 * Throws `UserExists` if the end user has already registered, or if another user has the name. Throws `Conflict` for an
 * external id that this user does not have.
 */
export async function delegateRegistration(
  services: RegistrationServices,
  authority: Authority,
  { email, externalId }: NewEndUser,
): Promise<RegistrationChallenge> {
  return act(services.db, authority, async (tx, userActionId) => {
    const id = newId('user');
    const isNew = await userStore.add(tx, {
      id,
      username: email,
      name: email,
      kind: 'EndUser',
      isRegistered: false,
      isServiceAccount: false,
      externalId: externalId ?? null,
      createdBy: authority.caller.userId,
    });
    const known = isNew ? undefined : await userStore.findByUsername(tx, email);
    if (!isNew && !known) throw externalIdTaken(externalId);
    const user = await userStore.lock(tx, known?.id ?? id);
    if (user?.kind !== 'EndUser' || user.isServiceAccount || user.isRegistered) {
      throw new AppError('UserExists', 'User already exists.');
    }
    if (!user.isActive) throw new AppError('UserDeactivated', 'User account has been deactivated.');
    if (externalId !== undefined && user.externalId !== externalId) throw externalIdTaken(externalId);
    return beginRegistration(tx, services, user, { userActionId });
  });
}

const externalIdTaken = (externalId: string | undefined) =>
  new AppError('Conflict', 'externalId belongs to another user', { externalId });

type NewWallet = { readonly network: string; readonly name?: string | undefined };

/**
 * Completes the registration of an end user, and creates the requested wallets, which belong to the user. Returns once the
 * secrets of the wallets' keys are stored safely (S4). Throws the errors of `completeRegistration`, and `NetworkNotEnabled`.
 * Throws `Forbidden` for a user who is not an end user. Throws `NotReady` if the keys take too long; the user is then already
 * registered, and the wallets appear later.
 */
export async function registerEndUser(
  services: Services & RegistrationServices,
  ceremony: TokenClaims,
  credentials: NewCredentials,
  requests: readonly NewWallet[],
) {
  const { userActionId } = await registrationOf(services, ceremony);
  const { registered, more } = await completeRegistration(services, ceremony, credentials, async (tx, user, openedBy) => {
    if (user.kind !== 'EndUser') throw new AppError('Forbidden', `${user.kind} ${user.id} is not an end user`);
    const wallets = await insertDelegatedWallets(services, tx, { userId: user.id, userActionId }, requests);
    return { wallets, token: await openSession(tx, services.tokens, user.id, openedBy) };
  });
  const wallets = await Promise.all(more.wallets.map((wallet) => whenReady(services, ceremony.orgId, wallet)));
  return { ...registered, authentication: { token: more.token }, wallets };
}
