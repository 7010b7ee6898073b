import { z } from 'zod';
import { createCredential as create } from '../../../application/credentials/credentials';
import { operation } from '../../http/operation';
import { Credential, CredentialBody } from './schemas';

export const createCredential = operation({
  id: 'createCredential',
  method: 'post',
  path: '/auth/credentials',
  tag: 'auth',
  summary: 'Add a credential to the caller, signed with an existing one',
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
