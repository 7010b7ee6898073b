import { isId } from '../../domain/ids';
import type { Tx } from '../../entities/database';
import { userStore } from '../../entities/users/user.store';
import { badField } from '../request-faults';

/**
 * Locks the user who is to own a key. Throws `InvalidRequest` at `field` unless the user is an active end user. Employees do not
 * own keys; they use keys that belong to the organisation.
 */
export async function assertEndUser(tx: Tx, userId: string, field: string): Promise<void> {
  const user = isId('user', userId) ? await userStore.lock(tx, userId) : undefined;
  const isEndUser = user?.kind === 'EndUser' && !user.isServiceAccount && user.isActive && user.dateArchived === null;
  if (!isEndUser) throw badField(field, 'must be the id of an active end user');
}
