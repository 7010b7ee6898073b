import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { Tx } from '../../entities/database';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { recordAmendment } from '../amendments/record-amendment';
import { assertNoPolicyNames } from '../policies/named-approvers';
import { changeOf, watchingReach } from '../policies/reachability';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { keepingFullAdmin } from './full-admins';
import { shownUser, userNotFound } from './users';
import type { UserView } from './view';

type Rows = Pick<Services, 'db'>;

/** Throws `NotFound`, and `LastAdministrator` if no full administrator could sign in any more. */
export function updateUser(
  { db }: Rows,
  authority: Authority,
  userId: string,
  { isSSORequired }: { readonly isSSORequired: boolean },
): Promise<UserView> {
  return act(db, authority, async (tx) => {
    const user = await lockUser(tx, userId);
    const end = () => userStore.change(tx, user, { isSsoRequired: isSSORequired });
    if (user.isSsoRequired !== isSSORequired) await keepingFullAdmin(tx, end);
    return shownUser(tx, userId);
  });
}

/** Idempotent. Throws `NotFound`, also for an archived user. */
export function activateUser({ db }: Rows, authority: Authority, userId: string): Promise<UserView> {
  return act(db, authority, async (tx) => {
    const user = await lockUser(tx, userId);
    // A reactivated user is treated as a new voter. Otherwise a former employee's account would bypass the waiting time (S10).
    if (!user.isActive) await userStore.change(tx, user, { isActive: true, dateCredentialsChanged: await tx.clock() });
    return shownUser(tx, userId);
  });
}

/**
 * Every process refuses the user's next request. Throws `NotFound`, `LastAdministrator` and `Unreachable`. Throws `OwnState` if
 * the user is the caller.
 */
export function deactivateUser({ db }: Rows, authority: Authority, userId: string): Promise<UserView> {
  return act(db, authority, async (tx, userActionId) => {
    assertSomebodyElse(authority, userId);
    const user = await lockUser(tx, userId);
    const change = changeOf('Deactivate of User', userId, authority);
    const end = () => keepingFullAdmin(tx, () => shutOut(tx, user, { isActive: false }));
    if (!user.isActive) return shownUser(tx, userId);
    await watchingReach(tx, change, end);
    if (user.kind !== 'EndUser') await recordAmendment(tx, { kind: 'deactivateUser', userActionId });
    return shownUser(tx, userId);
  });
}

/**
 * Archives a user for good and frees the user name. Idempotent. Throws the same errors as `deactivateUser`, and `NamedApprover`
 * for a user whom an active policy names.
 */
export function archiveUser({ db }: Rows, authority: Authority, userId: string): Promise<UserView> {
  return act(db, authority, async (tx, userActionId) => {
    assertSomebodyElse(authority, userId);
    const user = await lockUser(tx, userId, { alsoArchived: true });
    if (user.dateArchived !== null) return shownUser(tx, userId);
    await assertNoPolicyNames(tx, userId);
    const dateArchived = await tx.clock();
    const change = changeOf('Archive of User', userId, authority);
    await watchingReach(tx, change, () => keepingFullAdmin(tx, () => shutOut(tx, user, { isActive: false, dateArchived })));
    // The amendment is recorded even if the user is inactive, in case the signer refused the deactivation.
    if (user.kind !== 'EndUser') await recordAmendment(tx, { kind: 'archiveUser', userActionId });
    return shownUser(tx, userId);
  });
}

async function shutOut(tx: Tx, user: UserEntity, set: Pick<Partial<UserEntity>, 'isActive' | 'dateArchived'>): Promise<void> {
  await userStore.change(tx, user, set);
  await userStore.endAccess(tx, user.id);
}

/** Does not find service accounts, because service accounts have operations of their own. */
async function lockUser(tx: Tx, userId: string, { alsoArchived = false } = {}): Promise<UserEntity> {
  const user = isId('user', userId) ? await userStore.lock(tx, userId) : undefined;
  if (!user || user.isServiceAccount || (user.dateArchived !== null && !alsoArchived)) throw userNotFound(userId);
  return user;
}

function assertSomebodyElse({ caller }: Authority, userId: string): void {
  if (caller.userId === userId) throw new AppError('OwnState', 'user cannot modify its own state');
}
