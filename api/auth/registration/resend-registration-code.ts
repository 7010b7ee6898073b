import { z } from 'zod';
import { resendCode } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { SaidOrgId, SaidUsername } from './schemas';

export const resendRegistrationCode = publicOperation({
  id: 'resendRegistrationCode',
  method: 'put',
  path: '/auth/registration/code',
  tag: 'auth',
  summary: 'Mail a new registration code to an invited user; it replaces the previous one',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ username: SaidUsername, orgId: SaidOrgId }),
  response: z.object({ message: z.string() }),
  handle: async ({ body }, services) => {
    // Not awaited: the response time would reveal whether the person exists. A person who gets no mail asks again.
    void resendCode(services, body).catch(() => undefined);
    return { message: 'If this user was invited and has not registered yet, a new code is on its way' };
  },
});
