import { AppError } from '../../domain/errors';
import { ALL_OPERATIONS } from '../../domain/permissions';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { userStore } from '../../entities/users/user.store';
import { findOidcSettings } from '../login/oidc-settings';

/**
 * Active, registered users with full access. Service accounts are excluded, because no person can sign in as a service account.
 */
export async function fullAdmins(tx: Tx): ReturnType<typeof userStore.withOperation> {
  return userStore.withOperation(tx, ALL_OPERATIONS);
}

/**
 * Whether a full administrator can sign in. A user who must sign in at an identity provider cannot sign in while the
 * organisation has no provider.
 */
async function hasFullAdmin(tx: Tx): Promise<boolean> {
  const [admins, { provider }] = await Promise.all([fullAdmins(tx), findOidcSettings(tx, tx.orgId)]);
  return admins.some(({ isSsoRequired }) => !isSsoRequired || provider !== null);
}

/**
 * Makes the change. Throws `LastAdministrator` if the change would leave no full administrator who can sign in, unless the
 * organisation had none before. The lock of the organisation's row lets the second of two concurrent removals see the first
 * removal.
 */
export async function keepingFullAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await organizationStore.lock(tx);
  const hadFullAdmin = await hasFullAdmin(tx);
  const result = await change();
  if (hadFullAdmin && !(await hasFullAdmin(tx))) {
    throw new AppError('LastAdministrator', 'the last active administrator with full access cannot be removed or locked out');
  }
  return result;
}
