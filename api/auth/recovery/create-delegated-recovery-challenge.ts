import { z } from 'zod';
import { delegateRecovery } from '../../../application/recovery/recovery';
import { operation } from '../../http/operation';
import { SaidUsername } from '../registration/schemas';
import { RecoveryChallenge, RecoveryCredentialId } from './schemas';

export const createDelegatedRecoveryChallenge = operation({
  id: 'createDelegatedRecoveryChallenge',
  method: 'post',
  path: '/auth/recover/user/delegated',
  tag: 'auth',
  summary: "Begin the recovery of an end user on the caller's responsibility; no mail is sent",
  callers: ['ServiceAccount'],
  permission: 'Auth:Recover:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, credentialId: RecoveryCredentialId }),
  response: RecoveryChallenge,
  handle: ({ body, authority }, services) => delegateRecovery(services, authority, body),
});
