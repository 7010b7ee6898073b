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
  summary: 'Begin the creation of a further credential with a code',
  description:
    'Consumes the code and returns the data with which the client creates a credential of this kind. `POST ' +
    '/auth/credentials/code/verify` completes the challenge once, within 15 minutes. The call returns `Forbidden` (403) if the ' +
    'code is unknown, used or expired, or if the user is inactive. Wrong codes from one address lead to pauses of up to 15 ' +
    'minutes, during which even a correct code is refused and stays unused.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    credentialKind: Kind.describe('Kind of the credential to create'),
    code: z.string().min(1).max(64).describe('As the user received it; case, dashes and spaces do not matter'),
  }),
  response: CredentialChallenge,
  handle: ({ body: { code, credentialKind } }, services) => beginCredentialWithCode(services, code, credentialKind),
});
