import { z } from 'zod';
import { getUser as get } from '../../../application/users/users';
import { operation } from '../../http/operation';
import { User, UserParams } from './schemas';

export const getUser = operation({
  id: 'getUser',
  method: 'get',
  path: '/auth/users/:userId',
  tag: 'auth',
  summary: 'Read one user with the assigned permissions',
  description:
    'Service accounts are users too. `permissionAssignments` lists the active permissions of the user itself, not those of its ' +
    'tokens. The call returns `NotFound` (404) for an archived user and an unknown id.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Read',
  userAction: false,
  params: UserParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: User,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.userId),
});
