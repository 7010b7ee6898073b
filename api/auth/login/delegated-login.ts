import { z } from 'zod';
import { delegateLogin } from '../../../application/login/sessions';
import { operation } from '../../http/operation';
import { SaidUsername } from '../registration/schemas';

export const delegatedLogin = operation({
  id: 'delegatedLogin',
  method: 'post',
  path: '/auth/login/delegated',
  tag: 'auth',
  summary: "Open a read-only session for an end user; changes still need the end user's signature",
  callers: ['ServiceAccount'],
  permission: 'Auth:Login:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername }),
  response: z.object({ token: z.string() }),
  handle: async ({ body, authority }, services) => ({ token: await delegateLogin(services, authority, body.username) }),
});
