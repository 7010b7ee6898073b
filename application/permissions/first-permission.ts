import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { propose } from '../change-requests/proposals';
import type { Authority } from '../user-actions/act';
import { planAssignment } from './assignments';

type First = { readonly identityId: string; readonly permissionId: string };

/**
 * Assigns a permission to a program that the same transaction creates; the caller holds `Permissions:Assign`. If a policy asks for
 * approval, the program exists without the permission until people have approved, and the start of the waiting change is returned. Throws
 * `NotFound`, `WrongState` for an archived permission, `BeyondOwnRights`, `PolicyBlocked`: then there is no program either.
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
