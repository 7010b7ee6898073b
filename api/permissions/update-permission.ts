import { z } from 'zod';
import { updatePermission as update } from '../../application/permissions/permissions';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Permission, PermissionChangeRequest, PermissionName, PermissionOperations, PermissionParams } from './schemas';

export const updatePermission = operation({
  id: 'updatePermission',
  method: 'put',
  path: '/permissions/:permissionId',
  tag: 'permissions',
  summary: 'Change the name or the operations of a permission',
  description:
    'Omitted members stay unchanged, and a request that changes nothing returns the permission; a change applies to every ' +
    'holder from the next request on. The call returns 409 `WrongState` for an archived permission, and for a managed ' +
    'permission, unless the change concerns the operations of the permission for end users; it returns 409 `Conflict` if the ' +
    'name is taken or reserved, and 403 `BeyondOwnRights` if the changed permission would contain operations that the caller ' +
    'lacks, unless the organisation has the setting `grantBeyondOwnRights`. If an approval can no longer reach its quorum ' +
    'after the change, the header `strongroom-warning` reports this; if the organisation has the setting `refuseUnreachable`, ' +
    'the change is refused with 409 `Unreachable` instead. ' +
    aboutPolicies('Permissions:Modify'),
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
