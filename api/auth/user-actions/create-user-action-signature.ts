import { z } from 'zod';
import { signAction } from '../../../application/user-actions';
import { operation } from '../../http/operation';
import { KeyFactor } from './schemas';

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
  body: z.strictObject({ challengeIdentifier: z.string().min(1).max(4_096), firstFactor: KeyFactor }),
  response: z.object({ userAction: z.string() }),
  handle: async ({ body: { challengeIdentifier, firstFactor }, authority: { caller } }, { db, tokens }) => ({
    userAction: await signAction(db, tokens, caller, challengeIdentifier, firstFactor.credentialAssertion),
  }),
});
