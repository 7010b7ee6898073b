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
  summary: 'Give a permission another name or other operations',
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
