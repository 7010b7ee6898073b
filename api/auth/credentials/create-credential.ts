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
    'The request needs a user action that an existing credential of the caller has signed. The call returns `ChallengeInvalid` ' +
    '(400) if the challenge is expired, is used, belongs to another user or is for a different kind, and `AttestationInvalid` ' +
    '(400) if the credential does not verify. It returns `Conflict` (409) if the credential id or the key is already in use, ' +
    'or if the user already has the maximum number of active credentials. ' +
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
