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
  description:
    'Consumes the code, voids an earlier challenge of the user, and returns the challenge for the new credentials with the ' +
    'bearer token for `POST /auth/recover/user`, valid for 30 minutes. The call returns `Unauthorized` (401) if the user is ' +
    'unknown, the code is wrong, used or expired, or `credentialId` is not an active recovery key of the user. Five wrong ' +
    'codes void the mailed code, and further wrong codes lead to pauses of up to 15 minutes, during which a correct code is ' +
    'refused too.',
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
