import { z } from 'zod';
import { archivePermission as archive } from '../../application/permissions/permissions';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Permission, PermissionChangeRequest, PermissionParams } from './schemas';

export const archivePermission = operation({
  id: 'archivePermission',
  method: 'put',
  path: '/permissions/:permissionId/archive',
  tag: 'permissions',
  summary: 'Archive a permission or restore it',
  description:
    'While a permission is archived, its assignments stay but grant nothing; restoring the permission gives all holders their ' +
    'rights back, and must not grant operations that the caller lacks (403 `BeyondOwnRights`). The call returns 409 ' +
    '`WrongState` for a managed permission, and returns a permission that is already in the requested state unchanged. If an ' +
    'approval can no longer reach its quorum after the change, the header `strongroom-warning` reports this; if the ' +
    'organisation has the setting `refuseUnreachable`, the change is refused with 409 `Unreachable` instead. ' +
    aboutPolicies('Permissions:Modify'),
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Archive',
  userAction: true,
  params: PermissionParams,
  query: z.strictObject({}),
  body: z.strictObject({ isArchived: z.boolean().describe('True archives the permission, false restores it') }),
  response: Permission,
  accepted: PermissionChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await archive(services, authority, params.permissionId, body)),
});
