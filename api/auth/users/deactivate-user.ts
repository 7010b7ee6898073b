import { z } from 'zod';
import { deactivateUser as deactivate } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const deactivateUser = operation({
  id: 'deactivateUser',
  method: 'put',
  path: '/auth/users/:userId/deactivate',
  tag: 'auth',
  summary: 'Deactivate a user',
  description:
    'The sessions, personal access tokens, one-time codes and open challenges of the user become invalid at once, without ' +
    'approval; repeating the call changes nothing. The call returns `OwnState` (400) for the caller, `LastAdministrator` (409) ' +
    'for the last active administrator with full access, and `NotFound` (404) for an archived user, a service account or an ' +
    'unknown id. If the approvals of a policy can no longer reach their quorum, the header `strongroom-warning` names the ' +
    "policy; if the organisation's setting `refuseUnreachable` is on, the change is refused with `Unreachable` (409) instead. " +
    'Housekeeping emits `policy.approval.unreachable` for each waiting approval that lost its quorum.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  refusesPersonalTokens: true,
  permission: 'Auth:Users:Deactivate',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: User,
  handle: ({ params, authority }, services) => deactivate(services, authority, params.userId),
});
