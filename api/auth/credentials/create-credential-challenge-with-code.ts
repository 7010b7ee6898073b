import { z } from 'zod';
import { beginCredentialWithCode } from '../../../application/credentials/credential-challenges';
import { publicOperation } from '../../http/operation';
import { Kind } from '../schemas';
import { CredentialChallenge } from './schemas';

export const createCredentialChallengeWithCode = publicOperation({
  id: 'createCredentialChallengeWithCode',
  method: 'post',
  path: '/auth/credentials/code/init',
  tag: 'auth',
  summary: 'Begin a further credential for the user who made the code; the code is consumed',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ credentialKind: Kind, code: z.string().min(1).max(64) }),
  response: CredentialChallenge,
  handle: ({ body: { code, credentialKind } }, services) => beginCredentialWithCode(services, code, credentialKind),
});
