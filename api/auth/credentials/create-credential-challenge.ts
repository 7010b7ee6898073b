import { z } from 'zod';
import { beginCredential } from '../../../application/credentials/credential-challenges';
import { operation } from '../../http/operation';
import { Kind } from '../schemas';
import { CredentialChallenge } from './schemas';

export const createCredentialChallenge = operation({
  id: 'createCredentialChallenge',
  method: 'post',
  path: '/auth/credentials/init',
  tag: 'auth',
  summary: 'Begin the creation of a further credential for the caller',
  description:
    'Returns the data with which the client creates a credential of this kind; for `Totp` the data includes the seed. `POST ' +
    '/auth/credentials` completes the challenge once, for the same user, within 15 minutes.',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ kind: Kind.describe('Kind of the credential to create') }),
  response: CredentialChallenge,
  handle: ({ body, authority: { caller } }, services) => beginCredential(services, caller, body.kind),
});
