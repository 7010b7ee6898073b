import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { completeSso } from '../../../application/login/sso';
import { publicOperation } from '../../http/operation';
import { SessionToken, SignInAnswer } from './schemas';

export const ssoLogin = publicOperation({
  id: 'ssoLogin',
  method: 'post',
  path: '/auth/login/sso',
  tag: 'auth',
  summary: "Complete a login at the organisation's identity provider",
  params: z.object({}),
  query: z.object({}),
  body: SignInAnswer,
  response: SessionToken,
  handle: async ({ body }, services) => ({
    token: await completeSso(services, body, 'Sso', (tx, person) => openSession(tx, services.tokens, person.id)),
  }),
});
