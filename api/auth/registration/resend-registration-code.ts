import { z } from 'zod';
import { resendCode } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { Message } from '../schemas';
import { CodeRequest, MAIL_LIMITS } from './schemas';

export const resendRegistrationCode = publicOperation({
  id: 'resendRegistrationCode',
  method: 'put',
  path: '/auth/registration/code',
  tag: 'auth',
  summary: 'Mail a new registration code to an invited user',
  description:
    'The code is valid for three days. The response does not wait for the mail and is the same whether or not the ' +
    'user exists. An end user and a user who has registered receive no mail. ' +
    MAIL_LIMITS,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CodeRequest,
  response: Message,
  handle: async ({ body }, services) => {
    // Waiting for the mail would reveal, by its duration, whether the user exists.
    void resendCode(services, body).catch(() => undefined);
    return { message: 'If this user was invited and has not registered yet, a new code is on its way' };
  },
});
