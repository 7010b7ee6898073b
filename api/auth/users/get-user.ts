import { z } from 'zod';
import { getUser as get } from '../../../application/users/users';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const getUser = operation({
  id: 'getUser',
  method: 'get',
  path: '/auth/users/:userId',
  tag: 'auth',
  summary: 'Read one user with the permissions assigned to it',
  description:
    'Service accounts are users too. `permissionAssignments` lists the active permissions of the user itself, not ' +
    'those of its tokens. An archived user and an unknown id return `NotFound` (404).',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Read',
  userAction: false,
  params: UserParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: User,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.userId),
});
