import { z } from 'zod';
import { deleteAssignment as remove } from '../../application/permissions/assignments';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { QueryFlag } from '../http/query-flag';
import { AssignmentChangeRequest, AssignmentParams } from './schemas';

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  method: 'delete',
  path: '/permissions/:permissionId/assignments/:assignmentId',
  tag: 'permissions',
  summary:
    'Revoke a permission from an identity for good; `force` does so even if an approver named by a policy can then no longer vote',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Revoke',
  userAction: true,
  params: AssignmentParams,
  query: z.strictObject({ force: QueryFlag }),
  body: z.strictObject({}).optional(),
  response: z.object({}),
  accepted: AssignmentChangeRequest,
  handle: async ({ params, query, authority }, services) => {
    const answer = answerOfChange(await remove(services, authority, { ...params, force: query.force }));
    return answer ?? {};
  },
});
