import { z } from 'zod';
import { createPermission as create } from '../../application/permissions/permissions';
import { operation } from '../http/operation';
import { Permission, PermissionName, PermissionOperations } from './schemas';

export const createPermission = operation({
  id: 'createPermission',
  method: 'post',
  path: '/permissions',
  tag: 'permissions',
  summary: 'Create a permission',
  description:
    'A permission has an effect only once it is assigned (`createAssignment`). The call returns 409 `Conflict` if the name is ' +
    'reserved for managed permissions, or if another permission, even an archived one, has it. It returns 403 ' +
    '`BeyondOwnRights` if the caller lacks any of the operations, unless the organisation has the setting ' +
    '`grantBeyondOwnRights`. No policy judges the creation.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: PermissionName, operations: PermissionOperations }),
  response: Permission,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
