import { z } from 'zod';
import { createCredentialWithCode as create } from '../../../application/credentials/credentials';
import { publicOperation } from '../../http/operation';
import { CREDENTIAL_LIMITS, Credential, CredentialBody } from './schemas';

export const createCredentialWithCode = publicOperation({
  id: 'createCredentialWithCode',
  method: 'post',
  path: '/auth/credentials/code/verify',
  tag: 'auth',
  summary: 'Add the credential whose creation was begun with a code',
  description:
    'The challenge decides which user receives the credential. The call returns `ChallengeInvalid` (400) if the challenge is ' +
    'expired, is used, was not begun with a code or is for a different kind, and `AttestationInvalid` (400) if the credential ' +
    'does not verify. If the credential id or the key is already in use, or the user already has the maximum number of active ' +
    'credentials, the call returns `Conflict` (409). ' +
    CREDENTIAL_LIMITS +
    " Until `voterCoolingHours` of the organisation's settings are over, the user may deny approvals but not approve.",
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CredentialBody,
  response: Credential,
  handle: ({ body: { challengeIdentifier, ...attestation } }, services) => create(services, { challengeIdentifier, attestation }),
});
