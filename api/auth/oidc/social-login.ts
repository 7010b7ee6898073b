import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { loginSocially } from '../../../application/login/social';
import { publicOperation } from '../../http/operation';
import { IdTokenBody, SessionToken } from './schemas';

export const socialLogin = publicOperation({
  id: 'socialLogin',
  method: 'post',
  path: '/auth/login/social',
  tag: 'auth',
  summary: 'Log an end user in with an ID token of a provider that the organisation trusts',
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: SessionToken,
  handle: async ({ body }, services) => ({
    token: await loginSocially(services, body, (tx, person) => openSession(tx, services.tokens, person.id)),
  }),
});
