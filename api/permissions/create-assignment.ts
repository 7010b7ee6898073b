import { z } from 'zod';
import { createAssignment as create } from '../../application/permissions/assignments';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Assignment, AssignmentChangeRequest, IdentityId, PermissionParams } from './schemas';

export const createAssignment = operation({
  id: 'createAssignment',
  method: 'post',
  path: '/permissions/:permissionId/assignments',
  tag: 'permissions',
  summary: 'Assign a permission to a user, a service account or a token',
  description:
    'The holder has the operations of the permission from its next request on; a token is limited to its assigned permissions ' +
    'from its first assignment on. The call returns 404 `NotFound` if the permission or the identity is unknown, 409 ' +
    '`WrongState` if the permission is archived, and 409 `Conflict` if the identity already has the permission. It returns 403 ' +
    '`BeyondOwnRights` if the caller lacks any of the operations, unless the organisation has the setting ' +
    '`grantBeyondOwnRights`. ' +
    aboutPolicies('Permissions:Assign'),
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Assign',
  userAction: true,
  params: PermissionParams,
  query: z.strictObject({}),
  body: z.strictObject({ identityId: IdentityId }),
  response: Assignment,
  accepted: AssignmentChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await create(services, authority, params.permissionId, body)),
});
