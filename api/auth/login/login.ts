import { z } from 'zod';
import { completeLogin } from '../../../application/login/login';
import { publicOperation } from '../../http/operation';
import { SessionToken, SignedChallenge } from '../schemas';

export const login = publicOperation({
  id: 'login',
  method: 'post',
  path: '/auth/login',
  tag: 'auth',
  summary: 'Complete a login',
  description:
    "Opens a session for `sessionMinutes` of the organisation's settings. A user who must log in at the organisation's " +
    'identity provider receives `ssoClientId` instead, to be sent to `POST /auth/login/sso/init` or `POST ' +
    '/auth/login/oidc/init`. The call returns `Unauthorized` (401) if the challenge is expired or used, the user is unknown, ' +
    'or a factor is wrong. Wrong passwords and wrong one-time passwords lead to pauses of up to 15 minutes, during which ' +
    'correct ones are refused too. The operation stays open while the deployment is frozen.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: SignedChallenge,
  response: z.union([
    SessionToken,
    z
      .object({ ssoClientId: z.string().describe("This service as a client of the organisation's identity provider") })
      .describe('For a user who must log in at the identity provider'),
  ]),
  handle: ({ body: { challengeIdentifier, ...factors } }, services) => completeLogin(services, challengeIdentifier, factors),
});
