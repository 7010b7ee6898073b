import { z } from 'zod';
import { setCredentialActive } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Message } from '../schemas';
import { NamedCredential } from './schemas';

export const deactivateCredential = operation({
  id: 'deactivateCredential',
  method: 'put',
  path: '/auth/credentials/deactivate',
  tag: 'auth',
  summary: 'Deactivate a credential of the caller; its sessions and open codes end',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: NamedCredential,
  response: Message,
  handle: async ({ body, authority }, services) => {
    await setCredentialActive(services, authority, body.credentialUuid, false);
    return { message: 'The credential is deactivated.' };
  },
});
