import { z } from 'zod';
import { createCredentialWithCode as create } from '../../../application/credentials/credentials';
import { publicOperation } from '../../http/operation';
import { CREDENTIAL_LIMITS, Credential, CredentialBody } from './schemas';

export const createCredentialWithCode = publicOperation({
  id: 'createCredentialWithCode',
  method: 'post',
  path: '/auth/credentials/code/verify',
  tag: 'auth',
  summary: 'Add the credential that was begun with a code',
  description:
    'The challenge decides which user receives the credential. A challenge that is expired, used, not begun with a code ' +
    'or for another kind returns `ChallengeInvalid` (400), and a credential that does not verify returns ' +
    '`AttestationInvalid` (400). A credential id or a key that is already in use and a credential beyond the limit return ' +
    '`Conflict` (409). ' +
    CREDENTIAL_LIMITS +
    " Until `voterCoolingHours` of the organisation's settings are over, the user may deny approvals but not approve.",
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CredentialBody,
  response: Credential,
  handle: ({ body: { challengeIdentifier, ...attestation } }, services) => create(services, { challengeIdentifier, attestation }),
});
