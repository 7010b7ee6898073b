import { z } from 'zod';
import { sendSignInCode } from '../../../application/login/sign-in-codes';
import { publicOperation } from '../../http/operation';
import { SaidOrgId, SaidUsername } from '../registration/schemas';
import { Message } from '../schemas';

export const sendLoginCode = publicOperation({
  id: 'sendLoginCode',
  method: 'post',
  path: '/auth/login/code',
  tag: 'auth',
  summary: 'Mail a one-time code for a login; the response is the same whether or not the user exists',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, orgId: SaidOrgId }),
  response: Message,
  handle: async ({ body }, services) => {
    // Not awaited: the response time would reveal whether the person exists. A person who gets no mail asks again.
    void sendSignInCode(services, body, 'Login').catch(() => undefined);
    return { message: 'If this user exists, a code is on its way.' };
  },
});
