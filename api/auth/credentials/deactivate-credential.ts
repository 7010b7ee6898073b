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
  summary: 'Deactivate a credential of the caller',
  description:
    'The sessions that the credential opened, the open codes and challenges for further credentials, and the unused user ' +
    'actions that it signed become invalid at once. Repeating the call changes nothing. The call returns `NotFound` (404) if ' +
    'the credential was removed or belongs to another user. It returns `LastCredential` (409) for the last credential with ' +
    'which the user can sign or log in; a recovery key can always be deactivated. Until `voterCoolingHours` of the ' +
    "organisation's settings are over, the user may deny approvals but not approve.",
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
