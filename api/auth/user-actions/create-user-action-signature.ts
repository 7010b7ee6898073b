import { z } from 'zod';
import { signAction } from '../../../application/user-actions/user-actions';
import { operation } from '../../http/operation';
import { SignedChallenge } from '../schemas';

export const createUserActionSignature = operation({
  id: 'createUserActionSignature',
  method: 'post',
  path: '/auth/action',
  tag: 'auth',
  summary: 'Exchange the signed challenge for the token that authorises the announced request once',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: SignedChallenge,
  response: z.object({ userAction: z.string() }),
  handle: async ({ body: { challengeIdentifier, ...factors }, authority: { caller } }, services) => ({
    userAction: await signAction(services, caller, challengeIdentifier, factors),
  }),
});
