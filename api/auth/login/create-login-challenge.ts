import { z } from 'zod';
import { beginLogin } from '../../../application/login/login';
import { publicOperation } from '../../http/operation';
import { SaidOrgId, SaidUsername } from '../registration/schemas';
import { SigningChallenge } from '../schemas';
import { Code } from './schemas';

export const createLoginChallenge = publicOperation({
  id: 'createLoginChallenge',
  method: 'post',
  path: '/auth/login/init',
  tag: 'auth',
  summary: 'Begin a login',
  description:
    '`POST /auth/login` completes the challenge once, within 5 minutes. For a user who is unknown or cannot log in, the call ' +
    'returns a challenge in the same format, which no credential completes. Without `username` the response lists no ' +
    'credential, and only a passkey can complete the login. A correct `loginCode` is consumed and adds the encrypted private ' +
    'keys to the response; the call returns `Unauthorized` (401) if the code is wrong, and five wrong codes void the mailed ' +
    'code. The operation stays open while the deployment is frozen.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    orgId: SaidOrgId,
    username: SaidUsername.optional().describe(
      'User name, regardless of case; without a user name, only a passkey can complete the login',
    ),
    loginCode: Code.optional().describe('The mailed code; needed only to receive the encrypted private keys'),
  }),
  response: SigningChallenge,
  handle: ({ body }, services) => beginLogin(services, body),
});
