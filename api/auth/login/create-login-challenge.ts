import { z } from 'zod';
import { beginLogin } from '../../../application/login/login';
import { publicOperation } from '../../http/operation';
import { SaidOrgId, SaidUsername } from '../registration/schemas';
import { SigningChallenge } from '../schemas';
import { Code } from './schemas';

export const createLoginChallenge = publicOperation({
  id: 'createLoginChallenge',
  method: 'post',
  path: '/auth/login/init',
  tag: 'auth',
  summary: 'Begin a login; with a mailed code the response includes the encrypted private keys',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ orgId: SaidOrgId, username: SaidUsername.optional(), loginCode: Code.optional() }),
  response: SigningChallenge,
  handle: ({ body }, services) => beginLogin(services, body),
});
