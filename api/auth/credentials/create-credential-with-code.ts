import { z } from 'zod';
import { createCredentialWithCode as create } from '../../../application/credentials/credentials';
import { publicOperation } from '../../http/operation';
import { Credential, CredentialBody } from './schemas';

export const createCredentialWithCode = publicOperation({
  id: 'createCredentialWithCode',
  method: 'post',
  path: '/auth/credentials/code/verify',
  tag: 'auth',
  summary: 'Add the credential that was begun with a code',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: CredentialBody,
  response: Credential,
  handle: ({ body: { challengeIdentifier, ...attestation } }, services) => create(services, { challengeIdentifier, attestation }),
});
