import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { propose } from '../change-requests/proposals';
import type { Authority } from '../user-actions/act';
import { planAssignment } from './assignments';

type First = { readonly identityId: string; readonly permissionId: string };

/**
 * Assigns a permission to a service account or token that the same database transaction creates. The operation has already
 * checked that the caller may assign permissions (`Permissions:Assign`). If a policy requests approval, the identity has no
 * permission until people approve, and the returned dispatch starts the workflow of the pending change. Throws `NotFound`,
 * `BeyondOwnRights`, and `WrongState` for an archived permission. Throws `PolicyBlocked` if a policy blocks the assignment.
 */
export async function assignFirstPermission(
  tx: Tx,
  authority: Authority,
  { identityId, permissionId }: First,
): Promise<Dispatch | undefined> {
  const made = await propose(tx, authority, await planAssignment(tx, permissionId, identityId));
  if ('blockedReason' in made) throw new AppError('PolicyBlocked', made.blockedReason);
  return 'start' in made ? made.start : undefined;
}
