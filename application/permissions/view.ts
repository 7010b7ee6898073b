import { isImmutable, shownOperations } from '../../domain/permissions';
import type { PermissionEntity } from '../../entities/permissions/permission.entity';
import type { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';

type Shown = Pick<PermissionEntity, 'id' | 'name' | 'operations' | 'isManaged' | 'status'>;

/** In the interface, `status` is always `Active`, and only `isArchived` shows that a permission is archived. */
export const permissionBody = ({ id, name, operations, isManaged, status }: Shown) => ({
  id,
  name,
  operations: shownOperations(operations),
  status: 'Active' as const,
  isImmutable: isImmutable({ name, isManaged }),
  isArchived: status === 'Archived',
});

export type PermissionBody = ReturnType<typeof permissionBody>;

export const permissionView = (row: PermissionEntity) => ({
  ...permissionBody(row),
  dateCreated: row.dateCreated.toISOString(),
  dateUpdated: row.dateUpdated.toISOString(),
});

export type PermissionView = ReturnType<typeof permissionView>;

type Assigned = Pick<PermissionAssignmentEntity, 'id' | 'permissionId' | 'userId' | 'tokenId' | 'isImmutable'>;

export const assignmentBody = ({ id, permissionId, userId, tokenId, isImmutable }: Assigned) => ({
  id,
  permissionId,
  identityId: tokenId ?? userId,
  isImmutable,
});

export type AssignmentBody = ReturnType<typeof assignmentBody>;

export const assignmentView = (row: PermissionAssignmentEntity) => ({
  ...assignmentBody(row),
  dateCreated: row.dateCreated.toISOString(),
  dateUpdated: row.dateUpdated.toISOString(),
});

export type AssignmentView = ReturnType<typeof assignmentView>;
