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
    'The holder loses the operations from the next request on; a token that loses its last assignment can do nothing any ' +
    'more. An immutable assignment causes 409 `WrongState`, and the last active administrator with full access cannot ' +
    'lose this access (409 `LastAdministrator`). If an active policy names the holder as an approver who could no longer ' +
    'vote, the request is refused with 409 `NamedApprover`, unless `force` is true; a change that leaves an approval ' +
    'without a reachable quorum is reported in the header `strongroom-warning`, or refused with 409 `Unreachable` if the ' +
    'organisation has the setting `refuseUnreachable`. ' +
    aboutPolicies('Permissions:Assign'),
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Revoke',
  userAction: true,
  params: AssignmentParams,
  query: z.strictObject({ force: QueryFlag.describe('Revoke it even if an active policy names the holder as an approver') }),
  body: z.strictObject({}).optional(),
  response: z.object({}),
  accepted: AssignmentChangeRequest,
  handle: async ({ params, query, authority }, services) => {
    const answer = answerOfChange(await remove(services, authority, { ...params, force: query.force }));
    return answer ?? {};
  },
});
