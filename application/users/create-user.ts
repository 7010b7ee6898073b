import { AppError } from '../../domain/errors';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import type { IdentityServices } from './identity-services';
import { invite } from './invitations';
import { shownUser } from './users';
import type { UserView } from './view';

export type NewEmployee = {
  /** The address is also the user name. */
  readonly email: string;
  readonly externalId?: string | undefined;
  readonly isSSORequired?: boolean | undefined;
};

/**
 * Adds an employee without any permission, and mails the code for registration. Throws `UserExists` for a name that is taken.
 * Throws `Conflict` for an external id that another user has, even an archived user.
 */
export async function createUser(
  services: Pick<Services, 'db' | 'dispatcher'> & Pick<IdentityServices, 'codeDigest' | 'mailContents'>,
  authority: Authority,
  { email, externalId, isSSORequired = false }: NewEmployee,
): Promise<UserView> {
  const { caller } = authority;
  const id = newId('user');
  const { user, mail } = await act(services.db, authority, async (tx) => {
    const fresh = await userStore.add(tx, {
      id,
      username: email,
      name: email,
      kind: 'CustomerEmployee',
      isRegistered: false,
      isServiceAccount: false,
      externalId: externalId ?? null,
      isSsoRequired: isSSORequired,
      createdBy: caller.userId,
    });
    if (!fresh) {
      if (await userStore.findByUsername(tx, email)) throw new AppError('UserExists', 'User already exists.');
      throw new AppError('Conflict', 'externalId belongs to another user', { externalId });
    }
    const queued = await invite(tx, services, { id, username: email });
    return { user: await shownUser(tx, id), mail: queued };
  });
  void services.dispatcher.tryNow(caller.orgId, mail);
  return user;
}
