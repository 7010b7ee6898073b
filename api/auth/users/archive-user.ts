import { z } from 'zod';
import { archiveUser as archive } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const archiveUser = operation({
  id: 'archiveUser',
  method: 'delete',
  path: '/auth/users/:userId',
  tag: 'auth',
  summary: 'Archive a user permanently',
  description:
    'Access ends in the same way as with `PUT /auth/users/{userId}/deactivate`, and the user name becomes free; the ' +
    '`externalId` stays taken. An archived user cannot be reactivated, and repeating the call returns the archived user ' +
    'unchanged. The call returns `NamedApprover` (409) for an approver whom an active policy lists, `OwnState` (400) for the ' +
    'caller, `LastAdministrator` (409) for the last active administrator with full access, and `NotFound` (404) for a service ' +
    'account or an unknown id. If the approvals of a policy can no longer reach their quorum, the header `strongroom-warning` ' +
    "names the policy; if the organisation's setting `refuseUnreachable` is on, the change is refused with `Unreachable` (409) " +
    'instead. Housekeeping emits `policy.approval.unreachable` for each waiting approval that lost its quorum.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Delete',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: User,
  handle: ({ params, authority }, services) => archive(services, authority, params.userId),
});
