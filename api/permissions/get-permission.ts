import { z } from 'zod';
import { getPermission as get } from '../../application/permissions/permissions';
import { operation } from '../http/operation';
import { PermissionParams, PermissionWithPendingChange } from './schemas';

export const getPermission = operation({
  id: 'getPermission',
  method: 'get',
  path: '/permissions/:permissionId',
  tag: 'permissions',
  summary: 'Read one permission',
  description:
    'Archived and managed permissions can be read too. A change that waits for approval is shown as `pendingChangeRequest`; ' +
    'the call returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Read',
  userAction: false,
  params: PermissionParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: PermissionWithPendingChange,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.permissionId),
});
