import { z } from 'zod';
import { createAssignment as create } from '../../application/permissions/assignments';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { Assignment, AssignmentChangeRequest, IdentityId, PermissionParams } from './schemas';

export const createAssignment = operation({
  id: 'createAssignment',
  method: 'post',
  path: '/permissions/:permissionId/assignments',
  tag: 'permissions',
  summary: 'Give a permission to a user, a service account or a token; a token is then limited to its assigned permissions',
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
