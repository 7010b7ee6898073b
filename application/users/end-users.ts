import { isId } from '../../domain/ids';
import type { Tx } from '../../entities/database';
import { userStore } from '../../entities/users/user.store';
import { badField } from '../request-faults';

/**
 * The end user who is to own a key. Throws `InvalidRequest` at `field` for any other user, because staff hold keys for the
 * organisation.
 */
export async function assertEndUser(tx: Tx, userId: string, field: string): Promise<void> {
  const user = isId('user', userId) ? await userStore.lock(tx, userId) : undefined;
  const isEndUser = user?.kind === 'EndUser' && !user.isServiceAccount && user.isActive && user.dateArchived === null;
  if (!isEndUser) throw badField(field, 'must be the id of an active end user');
}
