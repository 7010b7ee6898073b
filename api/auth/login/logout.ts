import { z } from 'zod';
import { logOut } from '../../../application/login/sessions';
import { operation } from '../../http/operation';
import { Message } from '../schemas';

export const logout = operation({
  id: 'logout',
  method: 'put',
  path: '/auth/logout',
  tag: 'auth',
  summary: 'End this session or all sessions of the user',
  description:
    'An ended session cannot be reopened: requests with its token return `Unauthorized` (401). Personal access tokens stay ' +
    'valid. The operation stays open while the deployment is frozen.',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    allSessions: z.boolean().optional().describe('If true, every session of the user ends; false by default'),
  }),
  response: Message,
  handle: async ({ body: { allSessions = false }, authority: { caller } }, services) => {
    await logOut(services, caller, allSessions);
    return { message: allSessions ? 'All sessions have ended.' : 'The session has ended.' };
  },
});
