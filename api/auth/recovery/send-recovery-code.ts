import { z } from 'zod';
import { sendSignInCode } from '../../../application/login/sign-in-codes';
import { publicOperation } from '../../http/operation';
import { CodeRequest, MAIL_LIMITS } from '../registration/schemas';
import { Message } from '../schemas';

export const sendRecoveryCode = publicOperation({
  id: 'sendRecoveryCode',
  method: 'post',
  path: '/auth/recover/user/code',
  tag: 'auth',
  summary: 'Mail a one-time code for a recovery',
  description:
    'The code replaces an earlier one, is valid for 15 minutes, and begins a recovery at ' +
    '`POST /auth/recover/user/init`. The response does not wait for the mail and is the same whether or not the user ' +
    'exists. Only an active user with an active recovery key receives a mail. ' +
    MAIL_LIMITS,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CodeRequest,
  response: Message,
  handle: async ({ body }, services) => {
    // Waiting for the mail would reveal, by its duration, whether the user exists.
    void sendSignInCode(services, body, 'Recovery').catch(() => undefined);
    return { message: 'If this user exists and has a recovery key, a code is on its way.' };
  },
});
