import { AppError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { Tx } from '../entities/database';
import { PermissionEntity } from '../entities/permissions/permission.entity';
import { PermissionAssignmentEntity } from '../entities/permissions/permission-assignment.entity';
import { newId } from '../platform/ids';

/** The user, or one token of the user. */
type Holder = { readonly userId: string; readonly tokenId?: string };

/**
 * Assigns a permission to a program that is being created in the same transaction; the caller holds `Permissions:Assign`.
 * Throws `NotFound` for a permission that this organisation does not have or has archived.
 */
export async function assignFirstPermission(tx: Tx, { userId, tokenId }: Holder, permissionId: string): Promise<void> {
  // Shared, so that whoever archives the permission at this moment sees the assignment or prevents it.
  const permission = isId('permission', permissionId)
    ? await tx.row(PermissionEntity, `WHERE t.id = $1 AND t.status = 'Active' FOR SHARE`, [permissionId])
    : undefined;
  if (!permission) throw new AppError('NotFound', 'permission not found', { permissionId });
  const id = newId('assignment');
  await tx.insert(PermissionAssignmentEntity, { orgId: tx.orgId, id, permissionId, userId, tokenId: tokenId ?? null });
}
