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
  summary: "Complete a recovery; the former credentials and tokens become void at once or after the organisation's waiting time",
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    recovery: z.strictObject({ kind: z.literal('RecoveryKey'), credentialAssertion: KeyAssertion }),
    newCredentials: z.strictObject(NewCredentials),
  }),
  response: RegisteredUser.extend({
    recovery: z
      .object({ id: z.string(), dateEffective: z.iso.datetime() })
      .optional()
      .describe('Present while the recovery waits: until then the former credentials are valid and it can be stopped'),
  }).meta({ id: 'RecoveredUser' }),
  handle: ({ body: { recovery, newCredentials }, ceremony }, services) =>
    completeRecovery(services, ceremony, { credentialAssertion: recovery.credentialAssertion, newCredentials }),
});
