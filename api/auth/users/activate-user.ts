import { z } from 'zod';
import { activateUser as activate } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const activateUser = operation({
  id: 'activateUser',
  method: 'put',
  path: '/auth/users/:userId/activate',
  tag: 'auth',
  summary: 'Reactivate a deactivated user',
  description:
    'The user can log in again with the former credentials; former sessions stay ended, and personal access tokens stay ' +
    "inactive until their owner activates them. Until `voterCoolingHours` of the organisation's settings are over, the user " +
    'may deny approvals but not approve. The change takes effect at once, without approval, and changes nothing for an active ' +
    'user. The call returns `NotFound` (404) for an archived user, a service account and an unknown id.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  refusesPersonalTokens: true,
  permission: 'Auth:Users:Activate',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: User,
  handle: ({ params, authority }, services) => activate(services, authority, params.userId),
});
