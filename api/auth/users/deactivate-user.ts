import { z } from 'zod';
import { deactivateUser as deactivate } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const deactivateUser = operation({
  id: 'deactivateUser',
  method: 'put',
  path: '/auth/users/:userId/deactivate',
  tag: 'auth',
  summary: 'Deactivate a user; sessions, tokens and codes end at once',
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
