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
    'A registered user receives a session; a user without a credential receives the challenge that `POST /auth/registration` ' +
    'completes. The service tries to redeem the code only once. The first login binds the identity to the employee whose user ' +
    'name is the verified mail address, in a domain that the organisation allows; later logins find the user only by the ' +
    'identity. If the organisation onboards new users, an unknown person becomes an employee without permissions, who must log ' +
    'in at the provider. The call returns `IdentityProviderUnavailable` (503) if the provider cannot be reached, and ' +
    '`Unauthorized` (401) for every other fault.',
  params: z.object({}),
  query: z.object({}),
  body: SignInAnswer.extend({ iss: z.string().max(500).optional().describe('`iss` from the redirect (RFC 9207)') }),
  response: z.union([SessionToken, RegistrationChallenge]),
  handle: ({ body }, services) =>
    completeSso(services, body, 'Oidc', async (tx, person) =>
      person.isRegistered
        ? { token: await openSession(tx, services.tokens, person.id) }
        : beginRegistration(tx, services, person),
    ),
});
