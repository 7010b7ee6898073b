import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { completeSso } from '../../../application/login/sso';
import { beginRegistration } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { RegistrationChallenge } from '../registration/schemas';
import { SessionToken } from '../schemas';
import { SignInAnswer } from './schemas';

export const oidcLogin = publicOperation({
  id: 'oidcLogin',
  method: 'post',
  path: '/auth/login/oidc',
  tag: 'auth',
  summary: "Complete a login or begin a registration at the organisation's identity provider",
  description:
    'A registered user receives a session; a user without a credential receives the challenge that ' +
    '`POST /auth/registration` completes. The service tries to redeem the code only once. The first login binds the ' +
    'identity to the employee whose user name is the verified mail address, in a domain that the organisation ' +
    'allows; later logins find the user by the identity alone. If the organisation onboards new users, an unknown ' +
    'person becomes an employee without permissions, who must log in at the provider. Every fault returns ' +
    '`Unauthorized` (401), except that a provider that cannot be reached returns `IdentityProviderUnavailable` (503).',
  params: z.object({}),
  query: z.object({}),
  body: SignInAnswer.extend({ iss: z.string().max(500).optional().describe('`iss` of the redirect (RFC 9207)') }),
  response: z.union([SessionToken, RegistrationChallenge]),
  handle: ({ body }, services) =>
    completeSso(services, body, 'Oidc', async (tx, person) =>
      person.isRegistered
        ? { token: await openSession(tx, services.tokens, person.id) }
        : beginRegistration(tx, services, person),
    ),
});
