import { z } from 'zod';
import { openSession } from '../../../application/login/sessions';
import { loginSocially } from '../../../application/login/social';
import { publicOperation } from '../../http/operation';
import { SessionToken } from '../schemas';
import { IdTokenBody } from './schemas';

export const socialLogin = publicOperation({
  id: 'socialLogin',
  method: 'post',
  path: '/auth/login/social',
  tag: 'auth',
  summary: 'Log an end user in with an ID token of a provider that the organisation trusts',
  description:
    "Opens a session for `sessionMinutes` of the organisation's settings. An ID token opens at most one session and " +
    'begins at most one registration. The first login binds the identity to the end user whose user name is the verified ' +
    'mail address; later logins find the user by the identity alone. `Unauthorized` (401) is returned for a token that is ' +
    'used, expired, older than an hour or of an issuer that the organisation does not trust, and for an end user who has ' +
    'not registered; a provider that cannot be reached returns `IdentityProviderUnavailable` (503).',
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: SessionToken,
  handle: async ({ body }, services) => ({
    token: await loginSocially(services, body, (tx, person) => openSession(tx, services.tokens, person.id)),
  }),
});
