import { invariant } from '../domain/errors';
import { MANAGED_DEFAULT_END_USER } from '../domain/permissions';
import type { Tx } from '../entities/database';
import { PermissionEntity } from '../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../entities/permissions/permission-assignment.entity';
import { newId } from '../platform/ids';

const BY_NAME = 'WHERE t.name = $1 AND t.is_managed';

/** Gives a new end user what every end user has; an organisation that is older than the permission gets it with its first one. */
export async function assignEndUserPermission(tx: Tx, userId: string): Promise<void> {
  const { orgId } = tx;
  const { name, operations } = MANAGED_DEFAULT_END_USER;
  const permission =
    (await tx.row(PermissionEntity, BY_NAME, [name])) ??
    (await tx.insertOnce(PermissionEntity, {
      orgId,
      id: newId('permission'),
      name,
      operations,
      isManaged: true,
      status: 'Active',
    }),
    await tx.row(PermissionEntity, BY_NAME, [name]));
  invariant(permission, 'the permission of end users is there');
  const assignment = { orgId, id: newId('assignment'), permissionId: permission.id, userId, isImmutable: true };
  await tx.insertOnce(PermissionAssignmentEntity, assignment);
}
