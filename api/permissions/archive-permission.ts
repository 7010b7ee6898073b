import { z } from 'zod';
import { archivePermission as archive } from '../../application/permissions/permissions';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Permission, PermissionChangeRequest, PermissionParams } from './schemas';

export const archivePermission = operation({
  id: 'archivePermission',
  method: 'put',
  path: '/permissions/:permissionId/archive',
  tag: 'permissions',
  summary: 'Archive a permission, which takes it from all its holders, or restore it',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Archive',
  userAction: true,
  params: PermissionParams,
  query: z.strictObject({}),
  body: z.strictObject({ isArchived: z.boolean() }),
  response: Permission,
  accepted: PermissionChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await archive(services, authority, params.permissionId, body)),
});
