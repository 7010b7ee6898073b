import { z } from 'zod';
import { startRegistration } from '../../../application/registration/registration';
import { publicOperation } from '../../http/operation';
import { RegistrationChallenge, SaidOrgId, SaidUsername } from './schemas';

const CODE_CHARS_MAX = 64;

export const createRegistrationChallenge = publicOperation({
  id: 'createRegistrationChallenge',
  method: 'post',
  path: '/auth/registration/init',
  tag: 'auth',
  summary: 'Begin a registration with the mailed code',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    orgId: SaidOrgId,
    username: SaidUsername,
    registrationCode: z.string().min(1).max(CODE_CHARS_MAX),
  }),
  response: RegistrationChallenge,
  handle: ({ body: { orgId, username, registrationCode: code } }, services) =>
    startRegistration(services, { orgId, username, code }),
});
