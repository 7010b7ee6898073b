import { z } from 'zod';
import { updatePermission as update } from '../../application/permissions/permissions';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Permission, PermissionChangeRequest, PermissionName, PermissionOperations, PermissionParams } from './schemas';

export const updatePermission = operation({
  id: 'updatePermission',
  method: 'put',
  path: '/permissions/:permissionId',
  tag: 'permissions',
  summary: 'Change the name or the operations of a permission',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Update',
  userAction: true,
  params: PermissionParams,
  query: z.strictObject({}),
  body: z.strictObject({ name: PermissionName.optional(), operations: PermissionOperations.optional() }),
  response: Permission,
  accepted: PermissionChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await update(services, authority, params.permissionId, body)),
});
