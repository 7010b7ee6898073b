import { z } from 'zod';
import { sendSignInCode } from '../../../application/login/sign-in-codes';
import { publicOperation } from '../../http/operation';
import { SaidOrgId, SaidUsername } from '../registration/schemas';
import { Message } from '../schemas';

export const sendRecoveryCode = publicOperation({
  id: 'sendRecoveryCode',
  method: 'post',
  path: '/auth/recover/user/code',
  tag: 'auth',
  summary: 'Mail a one-time code for a recovery; the answer is the same whoever is there',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, orgId: SaidOrgId }),
  response: Message,
  handle: async ({ body }, services) => {
    // Nobody waits for it: how long it takes would tell whether there is such a person. Who gets no mail asks again.
    void sendSignInCode(services, body, 'Recovery').catch(() => undefined);
    return { message: 'If there is such a user with a recovery key, a code is on its way.' };
  },
});
