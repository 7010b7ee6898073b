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
  params: z.object({}),
  query: z.object({}),
  body: IdTokenBody,
  response: RegistrationChallenge,
  handle: ({ body }, services) => registerSocially(services, body, (tx, person) => beginRegistration(tx, services, person)),
});
