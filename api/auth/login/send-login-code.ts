import { z } from 'zod';
import { sendSignInCode } from '../../../application/login/sign-in-codes';
import { publicOperation } from '../../http/operation';
import { CodeRequest, MAIL_LIMITS } from '../registration/schemas';
import { Message } from '../schemas';

export const sendLoginCode = publicOperation({
  id: 'sendLoginCode',
  method: 'post',
  path: '/auth/login/code',
  tag: 'auth',
  summary: 'Mail a one-time code for a login',
  description:
    'The code replaces an earlier one, is valid for 15 minutes, and adds the encrypted private keys to the response of `POST ' +
    '/auth/login/init`. The response does not wait for the mail and is the same whether or not the user exists. Only an active ' +
    'user with a credential that can log in receives a mail. ' +
    MAIL_LIMITS,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CodeRequest,
  response: Message,
  handle: async ({ body }, services) => {
    // Waiting for the mail would reveal, by its duration, whether the user exists.
    void sendSignInCode(services, body, 'Login').catch(() => undefined);
    return { message: 'If this user exists, a code is on its way.' };
  },
});
