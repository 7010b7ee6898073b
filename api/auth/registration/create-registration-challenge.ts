import { z } from 'zod';
import { startRegistration } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { RegistrationChallenge, SaidOrgId, SaidUsername } from './schemas';

const CODE_CHARS_MAX = 64;

export const createRegistrationChallenge = publicOperation({
  id: 'createRegistrationChallenge',
  method: 'post',
  path: '/auth/registration/init',
  tag: 'auth',
  summary: 'Begin a registration with the mailed code',
  description:
    'Consumes the code, voids an earlier challenge of the user, and returns the challenge for the first credentials with the ' +
    "bearer token for `POST /auth/registration`, valid for 30 minutes. The code from the operator's command `org:reissue` " +
    'begins the recovery of an administrator in the same way. The call returns `Unauthorized` (401) if the user is unknown, or ' +
    'the code is wrong, used or expired. Five wrong codes void the mailed code, and further wrong codes lead to pauses of up ' +
    'to 15 minutes, during which a correct code is refused too.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    orgId: SaidOrgId,
    username: SaidUsername,
    registrationCode: z
      .string()
      .min(1)
      .max(CODE_CHARS_MAX)
      .describe('As the user received it; case, dashes and spaces do not matter'),
  }),
  response: RegistrationChallenge,
  handle: ({ body: { orgId, username, registrationCode: code } }, services) =>
    startRegistration(services, { orgId, username, code }),
});
