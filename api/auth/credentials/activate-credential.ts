import { z } from 'zod';
import { setCredentialActive } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Message } from '../schemas';
import { NamedCredential } from './schemas';

export const activateCredential = operation({
  id: 'activateCredential',
  method: 'put',
  path: '/auth/credentials/activate',
  tag: 'auth',
  summary: 'Reactivate a credential of the caller',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: NamedCredential,
  response: Message,
  handle: async ({ body, authority }, services) => {
    await setCredentialActive(services, authority, body.credentialUuid, true);
    return { message: 'The credential is active.' };
  },
});
