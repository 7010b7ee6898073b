import { z } from 'zod';
import { register as complete } from '../../../application/recovery/complete-reissue';
import { temporaryOperation } from '../../http/operation';
import { NewCredentials } from '../schemas';
import { RegisteredUser } from './schemas';

export const register = temporaryOperation({
  id: 'register',
  method: 'post',
  path: '/auth/registration',
  tag: 'auth',
  summary: 'Complete a registration with the first credentials of the user',
  description:
    'The bearer token is the `temporaryAuthenticationToken` of the challenge; the call returns `Unauthorized` (401) if the ' +
    'token is used, void or expired. It returns `AttestationInvalid` (400) if a credential does not verify, a password has no ' +
    'second factor, or a key or credential id occurs twice; the token then stays usable. An employee receives a mail about the ' +
    'registration; an end user receives the permission for end users. If the registration began with the code of an operator, ' +
    'the new credentials replace every credential, session, access token and code of the administrator, and the user and all ' +
    'administrators with full access receive a mail.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: NewCredentials,
  response: RegisteredUser,
  handle: ({ body, ceremony }, services) => complete(services, ceremony, body),
});
