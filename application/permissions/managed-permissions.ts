import { invariant } from '../../domain/errors';
import { MANAGED_DEFAULT_END_USER } from '../../domain/permissions';
import type { Tx } from '../../entities/database';
import { permissionStore } from '../../entities/permissions/permission.store';
import { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';
import { newId } from '../../platform/ids';

/** Policies do not judge the assignment, because the assignment follows from the registration. Idempotent. */
export async function assignDefaultEndUser(tx: Tx, userId: string): Promise<void> {
  const { name, operations } = MANAGED_DEFAULT_END_USER;
  await permissionStore.add(tx, { id: newId('permission'), name, operations, isManaged: true });
  const permission = await permissionStore.named(tx, name);
  invariant(permission?.isManaged, 'the managed permission exists: it was there before, or was just written');
  const assignment = { orgId: tx.orgId, id: newId('assignment'), permissionId: permission.id, userId };
  await tx.insertOnce(PermissionAssignmentEntity, assignment);
}
