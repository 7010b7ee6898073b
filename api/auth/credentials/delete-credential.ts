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
  summary: 'Remove a credential of the caller permanently',
  description:
    'The sessions that the credential opened, the open codes and challenges for further credentials, and the unused user ' +
    'actions that it signed become invalid at once. The call returns `NotFound` (404) if the credential was removed before or ' +
    'belongs to another user. It returns `LastCredential` (409) for the last credential with which the user can sign or log ' +
    "in; a deactivated credential and a recovery key can always be removed. Until `voterCoolingHours` of the organisation's " +
    'settings are over, the user may deny approvals but not approve.',
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
