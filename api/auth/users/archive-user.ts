import { z } from 'zod';
import { archiveUser as archive } from '../../../application/users/user-status';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const archiveUser = operation({
  id: 'archiveUser',
  method: 'delete',
  path: '/auth/users/:userId',
  tag: 'auth',
  summary: 'Archive a user for good; the user name becomes free again',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Delete',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: User,
  handle: ({ params, authority }, services) => archive(services, authority, params.userId),
});
