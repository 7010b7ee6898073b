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
  summary: 'Begin a further credential for the caller',
  callers: ['CustomerEmployee', 'EndUser'],
  permission: null,
  refusesPersonalTokens: true,
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ kind: Kind }),
  response: CredentialChallenge,
  handle: ({ body, authority: { caller } }, services) => beginCredential(services, caller, body.kind),
});
