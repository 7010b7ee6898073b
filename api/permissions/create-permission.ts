import { z } from 'zod';
import { createPermission as create } from '../../application/permissions/permissions';
import { operation } from '../http/operation';
import { Permission, PermissionName, PermissionOperations } from './schemas';

export const createPermission = operation({
  id: 'createPermission',
  method: 'post',
  path: '/permissions',
  tag: 'permissions',
  summary: 'Create a permission, initially without holders',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: PermissionName, operations: PermissionOperations }),
  response: Permission,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
