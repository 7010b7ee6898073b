import { AppError } from '../domain/errors';
import { credentialStore } from '../entities/credentials/credential.store';
import type { Reader } from '../entities/database';
import type { UserEntity } from '../entities/users/user.entity';
import { userStore } from '../entities/users/user.store';
import { credentialView, userView } from './views/users';

type Page = { readonly kind: UserEntity['kind'] | undefined; readonly after: string | undefined; readonly limit: number };

/** Users of the organisation, newest first, one more than the limit where there are more. */
export async function listUsers(reader: Reader, page: Page) {
  return userStore.list(reader, page);
}

/** Throws `NotFound` for an id of no user of this organisation. */
export async function getUser(reader: Reader, userId: string, catalogue: readonly string[]) {
  const user = await userStore.find(reader, userId);
  if (!user) throw new AppError('NotFound', 'user not found', { userId });
  return userView(user, catalogue);
}

/** The user's own credentials, oldest first. */
export async function listCredentials(reader: Reader, userId: string) {
  const credentials = await credentialStore.listOfUser(reader, userId);
  return credentials.map(credentialView);
}
