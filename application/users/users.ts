import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { Reader, Tx } from '../../entities/database';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { type UserView, userView } from './view';

type Page = { readonly kind: UserEntity['kind'] | undefined; readonly after: string | undefined; readonly limit: number };

export const userNotFound = (userId: string) => new AppError('NotFound', 'user not found', { userId });

/** Newest first. If there is a next page, returns one row more than `limit`. */
export async function listUsers(reader: Reader, page: Page) {
  return userStore.list(reader, page);
}

/** Throws `NotFound` for an id that is not a user of this organisation, and for an archived user. */
export async function getUser(reader: Reader, userId: string): Promise<UserView> {
  const user = isId('user', userId) ? await userStore.find(reader, userId) : undefined;
  if (!user || user.dateArchived !== null) throw userNotFound(userId);
  return userView(user);
}

export async function shownUser(tx: Tx, userId: string): Promise<UserView> {
  const user = await userStore.find(tx, userId);
  invariant(user, 'a user that was written exists');
  return userView(user);
}
