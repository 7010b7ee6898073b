import { z } from 'zod';
import { completeRecovery } from '../../../application/recovery/complete-recovery';
import { temporaryOperation } from '../../http/operation';
import { RegisteredUser } from '../registration/schemas';
import { KeyAssertion, NewCredentials } from '../schemas';

export const recover = temporaryOperation({
  id: 'recover',
  method: 'post',
  path: '/auth/recover/user',
  tag: 'auth',
  summary: 'Complete a recovery with new credentials',
  description:
    'The bearer token is the `temporaryAuthenticationToken` of the challenge. The call returns `Unauthorized` (401) if the ' +
    'token is used or expired or the signature is wrong, `CredentialUnusable` (401) if the signing recovery key did not begin ' +
    'the recovery, `AttestationInvalid` (400) if a new credential does not verify, and `WrongState` (409) while another ' +
    "recovery of the user is waiting. The recovery takes effect after the hours in the organisation's setting " +
    '`recoveryWaitHours`, which may be 0; until then the workflow `recover` waits, the former credentials stay valid, and ' +
    '`DELETE /auth/recover/user/{recoveryId}` can stop the recovery. Afterwards every former credential, session, access token ' +
    'and code of the user is void. The user and all administrators with full access receive a mail at the beginning of the ' +
    'wait and at its end.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    recovery: z.strictObject({
      kind: z.literal('RecoveryKey'),
      credentialAssertion: KeyAssertion.describe(
        'The signature by the recovery key; `challenge` in its client data is the JSON of `newCredentials` in base64url',
      ),
    }),
    newCredentials: NewCredentials,
  }),
  response: RegisteredUser.extend({
    recovery: z
      .object({
        id: z.string().describe('Id of the recovery'),
        dateEffective: z.iso.datetime().describe('When the new credentials replace the former ones'),
      })
      .optional()
      .describe(
        'Present while the recovery waits; during the wait the former credentials are valid and the recovery can be stopped',
      ),
  }).meta({ id: 'RecoveredUser' }),
  handle: ({ body: { recovery, newCredentials }, ceremony }, services) =>
    completeRecovery(services, ceremony, { credentialAssertion: recovery.credentialAssertion, newCredentials }),
});
