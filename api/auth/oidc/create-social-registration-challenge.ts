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
    'Creates an end user whose name is the verified mail address in the token, unless an unregistered end user already has ' +
    'this name, and voids an earlier challenge. The returned bearer token completes the registration once within 30 minutes, ' +
    'at `POST /auth/registration` or `POST /auth/registration/enduser`. The call returns `UserExists` (401) if the end user ' +
    'has already registered, `IdentityProviderUnavailable` (503) if the provider cannot be reached, and `Unauthorized` (401) ' +
    'for any other fault. An ID token opens at most one session and begins at most one registration.',
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: RegistrationChallenge,
  handle: ({ body }, services) => registerSocially(services, body, (tx, person) => beginRegistration(tx, services, person)),
});
