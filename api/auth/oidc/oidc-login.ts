import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { completeSso } from '../../../application/login/sso';
import { beginRegistration } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { RegistrationChallenge } from '../registration/schemas';
import { SessionToken, SignInAnswer } from './schemas';

export const oidcLogin = publicOperation({
  id: 'oidcLogin',
  method: 'post',
  path: '/auth/login/oidc',
  tag: 'auth',
  summary: "Complete a login at the organisation's identity provider; a user without a credential registers first",
  params: z.object({}),
  query: z.object({}),
  body: SignInAnswer.extend({ iss: z.string().max(500).optional() }),
  response: z.union([SessionToken, RegistrationChallenge]),
  handle: ({ body }, services) =>
    completeSso(services, body, 'Oidc', async (tx, person) =>
      person.isRegistered
        ? { token: await openSession(tx, services.tokens, person.id) }
        : beginRegistration(tx, services, person),
    ),
});
