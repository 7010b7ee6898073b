import { z } from 'zod';
import { completeLogin } from '../../../application/login/login';
import { publicOperation } from '../../http/operation';
import { SignedChallenge } from '../schemas';

export const login = publicOperation({
  id: 'login',
  method: 'post',
  path: '/auth/login',
  tag: 'auth',
  summary: 'Complete a login; a user who must sign in through the identity provider receives its client instead of a token',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: SignedChallenge,
  response: z.union([z.object({ token: z.string() }), z.object({ ssoClientId: z.string() })]),
  handle: ({ body: { challengeIdentifier, ...factors } }, services) => completeLogin(services, challengeIdentifier, factors),
});
