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
    "Opens a session for `sessionMinutes` of the organisation's settings. An ID token opens at most one session and begins at " +
    'most one registration. The first login binds the identity to the end user whose user name is the verified mail address; ' +
    'later logins find the user only by the identity. The call returns `Unauthorized` (401) if the token is used, expired, ' +
    'older than an hour or from an issuer that the organisation does not trust, or if the end user has not registered; it ' +
    'returns `IdentityProviderUnavailable` (503) if the provider cannot be reached.',
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: SessionToken,
  handle: async ({ body }, services) => ({
    token: await loginSocially(services, body, (tx, person) => openSession(tx, services.tokens, person.id)),
  }),
});
