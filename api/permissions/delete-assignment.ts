import { z } from 'zod';
import { deleteAssignment as remove } from '../../application/permissions/assignments';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { QueryFlag } from '../http/query-flag';
import { AssignmentChangeRequest, AssignmentParams } from './schemas';

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  method: 'delete',
  path: '/permissions/:permissionId/assignments/:assignmentId',
  tag: 'permissions',
  summary: 'Revoke a permission from an identity',
  description:
    'The holder loses the operations from the next request on; a token that loses its last assignment can no longer do ' +
    'anything. The call returns 409 `WrongState` if the assignment is immutable, 409 `LastAdministrator` if the last active ' +
    'administrator with full access would lose this access, and, unless `force` is true, 409 `NamedApprover` if an active ' +
    'policy lists the holder as an approver and the holder could no longer vote. If an approval can no longer reach its quorum ' +
    'after the change, the header `strongroom-warning` reports this; if the organisation has the setting `refuseUnreachable`, ' +
    'the change is refused with 409 `Unreachable` instead. ' +
    aboutPolicies('Permissions:Assign'),
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Revoke',
  userAction: true,
  params: AssignmentParams,
  query: z.strictObject({
    force: QueryFlag.describe('Revoke the permission even if an active policy lists the holder as an approver'),
  }),
  body: z.strictObject({}).optional(),
  response: z.object({}),
  accepted: AssignmentChangeRequest,
  handle: async ({ params, query, authority }, services) => {
    const answer = answerOfChange(await remove(services, authority, { ...params, force: query.force }));
    return answer ?? {};
  },
});
