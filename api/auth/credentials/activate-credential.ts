import { z } from 'zod';
import { setCredentialActive } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Message } from '../schemas';
import { CREDENTIAL_LIMITS, NamedCredential } from './schemas';

export const activateCredential = operation({
  id: 'activateCredential',
  method: 'put',
  path: '/auth/credentials/activate',
  tag: 'auth',
  summary: 'Reactivate a credential of the caller',
  description:
    'Repeating the call changes nothing. The call returns `NotFound` (404) if the credential was removed or belongs to another ' +
    'user, and `Conflict` (409) if the user already has the maximum number of active credentials. ' +
    CREDENTIAL_LIMITS +
    " Until `voterCoolingHours` of the organisation's settings are over, the user may deny approvals but not approve.",
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
