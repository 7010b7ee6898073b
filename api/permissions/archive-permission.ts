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
    'While a permission is archived, its assignments stay and grant nothing; restoring it gives all holders their ' +
    'rights back, and must not give operations that the caller lacks (403 `BeyondOwnRights`). A managed permission ' +
    'causes 409 `WrongState`, and a permission that is in this state already is returned unchanged; a change that ' +
    'leaves an approval without a reachable quorum is reported in the header `strongroom-warning`, or refused with ' +
    '409 `Unreachable` if the organisation has the setting `refuseUnreachable`. ' +
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
