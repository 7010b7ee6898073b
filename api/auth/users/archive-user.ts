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
    'Access ends as with `PUT /auth/users/{userId}/deactivate`, and the user name becomes free; the `externalId` ' +
    'stays taken. An archived user cannot be reactivated, and a repetition returns the archived user unchanged. An ' +
    'approver whom an active policy names returns `NamedApprover` (409), the caller itself `OwnState` (400), the ' +
    'last active administrator with full access `LastAdministrator` (409), and a service account or an unknown id ' +
    '`NotFound` (404). If the approvals of a policy can no longer reach their quorum, the header ' +
    "`strongroom-warning` names the policy, or the change is refused with `Unreachable` (409) if the organisation's " +
    'setting `refuseUnreachable` is on. Housekeeping emits `policy.approval.unreachable` for each waiting approval ' +
    'that lost its quorum.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Delete',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: User,
  handle: ({ params, authority }, services) => archive(services, authority, params.userId),
});
