import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { completeSso } from '../../../application/login/sso';
import { publicOperation } from '../../http/operation';
import { SessionToken } from '../schemas';
import { SignInAnswer } from './schemas';

export const ssoLogin = publicOperation({
  id: 'ssoLogin',
  method: 'post',
  path: '/auth/login/sso',
  tag: 'auth',
  summary: "Complete a login at the organisation's identity provider",
  description:
    'Opens a session, even for a user without a credential. The service tries to redeem the code only once. The first login ' +
    'binds the identity to the employee whose user name is the verified mail address, in a domain that the organisation ' +
    'allows; later logins find the user only by the identity. If the organisation onboards new users, an unknown person ' +
    'becomes an employee without permissions, who must log in at the provider. The call returns `IdentityProviderUnavailable` ' +
    '(503) if the provider cannot be reached, and `Unauthorized` (401) for every other fault.',
  params: z.object({}),
  query: z.object({}),
  body: SignInAnswer,
  response: SessionToken,
  handle: async ({ body }, services) => ({
    token: await completeSso(services, body, 'Sso', (tx, person) => openSession(tx, services.tokens, person.id)),
  }),
});
