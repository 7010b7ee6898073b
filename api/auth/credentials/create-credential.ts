import { z } from 'zod';
import { createCredential as create } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { CREDENTIAL_LIMITS, Credential, CredentialBody } from './schemas';

export const createCredential = operation({
  id: 'createCredential',
  method: 'post',
  path: '/auth/credentials',
  tag: 'auth',
  summary: 'Add a credential to the caller',
  description:
    'The request needs a user action that an existing credential of the caller has signed. A challenge that is expired, ' +
    'used, of another user or for another kind returns `ChallengeInvalid` (400), and a credential that does not verify ' +
    'returns `AttestationInvalid` (400). A credential id or a key that is already in use and a credential beyond the ' +
    'limit return `Conflict` (409). ' +
    CREDENTIAL_LIMITS +
    " Until `voterCoolingHours` of the organisation's settings are over, the user may deny approvals but not approve.",
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: true,
  secretBody: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CredentialBody,
  response: Credential,
  handle: ({ body: { challengeIdentifier, ...attestation }, authority }, services) =>
    create(services, authority, { challengeIdentifier, attestation }),
});
