import { z } from 'zod';
import { activateUser as activate } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const activateUser = operation({
  id: 'activateUser',
  method: 'put',
  path: '/auth/users/:userId/activate',
  tag: 'auth',
  summary: 'Reactivate a user',
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
