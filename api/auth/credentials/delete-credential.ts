import { z } from 'zod';
import { removeCredential } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Message } from '../schemas';
import { NamedCredential } from './schemas';

export const deleteCredential = operation({
  id: 'deleteCredential',
  method: 'delete',
  path: '/auth/credentials/:credentialUuid',
  tag: 'auth',
  summary: 'Remove a credential of the caller for good; its sessions and open codes end',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  params: NamedCredential,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: Message,
  handle: async ({ params, authority }, services) => {
    await removeCredential(services, authority, params.credentialUuid);
    return { message: 'The credential has been removed.' };
  },
});
