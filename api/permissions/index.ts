import type { Operation } from '../http/operation';
import { archivePermission } from './archive-permission';
import { createAssignment } from './create-assignment';
import { createPermission } from './create-permission';
import { deleteAssignment } from './delete-assignment';
import { getPermission } from './get-permission';
import { listAssignments } from './list-assignments';
import { listPermissions } from './list-permissions';
import { updatePermission } from './update-permission';

export const permissionOperations: readonly Operation[] = [
  createPermission,
  listPermissions,
  getPermission,
  updatePermission,
  archivePermission,
  createAssignment,
  listAssignments,
  deleteAssignment,
];
