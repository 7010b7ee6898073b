import { AppError } from '../../domain/errors';
import { ALL_OPERATIONS } from '../../domain/permissions';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { userStore } from '../../entities/users/user.store';

/**
 * Users with full access who can use that access now. Service accounts are excluded, because no person can sign in as a service
 * account.
 */
export async function fullAdmins(tx: Tx): Promise<readonly { readonly id: string; readonly username: string }[]> {
  return userStore.withOperation(tx, ALL_OPERATIONS);
}

/**
 * After the change a full administrator must remain, unless the organisation had none before. The lock of the organisation's
 * row lets the second of two concurrent removals see the first removal. Throws `LastAdministrator`.
 */
export async function keepingFullAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await organizationStore.lock(tx);
  const before = await fullAdmins(tx);
  const result = await change();
  if (before.length > 0 && (await fullAdmins(tx)).length === 0) {
    throw new AppError('LastAdministrator', 'the last active administrator with full access cannot be removed');
  }
  return result;
}
