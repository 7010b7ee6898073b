import { z } from 'zod';
import { registerSocially } from '../../../application/login/social';
import { beginRegistration } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { RegistrationChallenge } from '../registration/schemas';
import { IdTokenBody } from './schemas';

export const createSocialRegistrationChallenge = publicOperation({
  id: 'createSocialRegistrationChallenge',
  method: 'post',
  path: '/auth/registration/social',
  tag: 'auth',
  summary: 'Begin the registration of an end user with an ID token of a provider that the organisation trusts',
  description:
    'Creates an end user named by the verified mail address of the token, unless an unregistered end user has this name ' +
    'already, and voids an earlier challenge. The returned bearer token completes the registration once within 30 ' +
    'minutes, at `POST /auth/registration` or `POST /auth/registration/enduser`. A registered end user returns ' +
    '`UserExists` (401), a provider that cannot be reached returns `IdentityProviderUnavailable` (503), and any other ' +
    'fault returns `Unauthorized` (401). An ID token opens at most one session and begins at most one registration.',
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: RegistrationChallenge,
  handle: ({ body }, services) => registerSocially(services, body, (tx, person) => beginRegistration(tx, services, person)),
});
