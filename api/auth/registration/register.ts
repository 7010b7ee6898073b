import { z } from 'zod';
import { register as complete } from '../../../application/recovery/complete-reissue';
import { temporaryOperation } from '../../http/operation';
import { NewCredentials } from '../schemas';
import { RegisteredUser } from './schemas';

export const register = temporaryOperation({
  id: 'register',
  method: 'post',
  path: '/auth/registration',
  tag: 'auth',
  summary: 'Complete a registration with the first credentials',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject(NewCredentials),
  response: RegisteredUser,
  handle: ({ body, ceremony }, services) => complete(services, ceremony, body),
});
