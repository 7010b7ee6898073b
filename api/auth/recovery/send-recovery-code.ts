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
  summary: 'Mail a one-time code for a recovery; the response is the same whether or not the user exists',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, orgId: SaidOrgId }),
  response: Message,
  handle: async ({ body }, services) => {
    // Not awaited: the response time would reveal whether the person exists. A person who gets no mail asks again.
    void sendSignInCode(services, body, 'Recovery').catch(() => undefined);
    return { message: 'If this user exists and has a recovery key, a code is on its way.' };
  },
});
