import { z } from 'zod';
import { beginRecovery } from '../../../application/recovery/recovery';
import { publicOperation } from '../../http/operation';
import { Code } from '../login/schemas';
import { SaidOrgId, SaidUsername } from '../registration/schemas';
import { RecoveryChallenge, RecoveryCredentialId } from './schemas';

export const createRecoveryChallenge = publicOperation({
  id: 'createRecoveryChallenge',
  method: 'post',
  path: '/auth/recover/user/init',
  tag: 'auth',
  summary: 'Begin a recovery with the mailed code',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    username: SaidUsername,
    verificationCode: Code,
    orgId: SaidOrgId,
    credentialId: RecoveryCredentialId,
  }),
  response: RecoveryChallenge,
  handle: ({ body }, services) => beginRecovery(services, body),
});
