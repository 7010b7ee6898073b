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
  summary: 'Begin the recovery of an end user whom the caller has identified',
  description:
    'Voids an earlier challenge of the user and returns the challenge for the new credentials with the bearer token for `POST ' +
    '/auth/recover/user`, valid for 30 minutes. The call returns `UserNotFound` (401) if no registered end user has the name, ' +
    '`UserDeactivated` (400) if the end user is deactivated, and `CredentialUnusable` (401) if `credentialId` is not an active ' +
    'recovery key of the user.',
  callers: ['ServiceAccount'],
  permission: 'Auth:Recover:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, credentialId: RecoveryCredentialId }),
  response: RecoveryChallenge,
  handle: ({ body, authority }, services) => delegateRecovery(services, authority, body),
});
