import { z } from 'zod';
import { signAction } from '../../../application/user-actions/user-actions';
import { operation } from '../../http/operation';
import { SignedChallenge } from '../schemas';

export const createUserActionSignature = operation({
  id: 'createUserActionSignature',
  method: 'post',
  path: '/auth/action',
  tag: 'auth',
  summary: 'Exchange a signed challenge for the token that authorises the announced request',
  description:
    'The token authorises one request with exactly the announced method, path and body, within 5 minutes and in the session ' +
    'that announced it. The call returns `ChallengeInvalid` (400) if the challenge is expired, is already signed or belongs to ' +
    'another session, `CredentialUnusable` (401) if the challenge does not list the credential, and `Unauthorized` (401) for ' +
    'any other wrong factor. Wrong passwords and wrong one-time passwords lead to pauses of up to 15 minutes, during which ' +
    'correct ones are refused too. A request that uses the token a second time returns `UserActionUsed` (400).',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  takesSignature: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: SignedChallenge,
  response: z.object({
    userAction: z.string().describe('Value of the header `x-svc-useraction` of the announced request; valid once, for 5 minutes'),
  }),
  handle: async ({ body: { challengeIdentifier, ...factors }, authority: { caller } }, services) => ({
    userAction: await signAction(services, caller, challengeIdentifier, factors),
  }),
});
