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
  description:
    'The change applies from the next login on, without approval; open sessions continue. `POST /auth/login` then returns the ' +
    'client of the identity provider instead of a session; while the organisation has no provider, such a login is refused. ' +
    'The call returns `LastAdministrator` (409) if no active administrator with full access could log in after the change. It ' +
    'returns `NotFound` (404) for an archived user, a service account and an unknown id.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Update',
  userAction: true,
  params: UserParams,
  query: z.strictObject({}),
  body: z.strictObject({
    isSSORequired: z.boolean().describe("True if the user must log in at the organisation's identity provider"),
  }),
  response: User,
  handle: ({ params, body, authority }, services) => update(services, authority, params.userId, body),
});
