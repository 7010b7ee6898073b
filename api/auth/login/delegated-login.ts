import { z } from 'zod';
import { delegateLogin } from '../../../application/login/sessions';
import { operation } from '../../http/operation';
import { SaidUsername } from '../registration/schemas';
import { SessionToken } from '../schemas';

export const delegatedLogin = operation({
  id: 'delegatedLogin',
  method: 'post',
  path: '/auth/login/delegated',
  tag: 'auth',
  summary: 'Open a session for an end user whom the caller has identified',
  description:
    "The session lasts `sessionMinutes` of the organisation's settings. Every change still needs a user action that a " +
    'credential of the end user signs. The call returns `UserNotFound` (401) if no registered end user has the name, and ' +
    '`UserDeactivated` (400) if the end user is deactivated.',
  callers: ['ServiceAccount'],
  permission: 'Auth:Login:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername }),
  response: SessionToken,
  handle: async ({ body, authority }, services) => ({ token: await delegateLogin(services, authority, body.username) }),
});
