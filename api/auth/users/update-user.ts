import { z } from 'zod';
import { updateUser as update } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const updateUser = operation({
  id: 'updateUser',
  method: 'put',
  path: '/auth/users/:userId',
  tag: 'auth',
  summary: "Set whether a user must sign in through the organisation's identity provider",
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Update',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({ isSSORequired: z.boolean() }),
  response: User,
  handle: ({ params, body, authority }, services) => update(services, authority, params.userId, body),
});
