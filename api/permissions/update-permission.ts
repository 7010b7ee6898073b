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
    'Omitted members stay unchanged, and a request that changes nothing returns the permission; a change applies to ' +
    'every holder from the next request on. An archived permission causes 409 `WrongState`, and so does a managed ' +
    'one, unless the change concerns the operations of the permission for end users; a name that is taken or reserved causes 409 ' +
    '`Conflict`. All operations of the permission after the change must be among those of the caller (403 `BeyondOwnRights`), ' +
    'unless the organisation has the setting `grantBeyondOwnRights`; a change that leaves an approval without a ' +
    'reachable quorum is reported in the header `strongroom-warning`, or refused with 409 `Unreachable` if the ' +
    'organisation has the setting `refuseUnreachable`. ' +
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
