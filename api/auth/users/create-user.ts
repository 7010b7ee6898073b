import { z } from 'zod';
import { warn } from '../../../application/user-actions/act';
import { createUser as create } from '../../../application/users/create-user';
import { operation } from '../../http/operation';
import { User } from './schemas';

/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const EMAIL_LENGTH_MAX = 254;
const EXTERNAL_ID_LENGTH_MAX = 100;

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/auth/users',
  tag: 'auth',
  summary: 'Invite an employee; the registration code is mailed, and permissions are assigned afterwards',
  description:
    'A user name already taken in the organisation is refused with 401 `UserExists`: the published interface has that status, ' +
    'and its clients rely on it. The bearer token is still valid; signing in again does not help.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  refusesPersonalTokens: true,
  permission: 'Auth:Users:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    email: z.email().max(EMAIL_LENGTH_MAX),
    kind: z.literal('CustomerEmployee'),
    externalId: z.string().min(1).max(EXTERNAL_ID_LENGTH_MAX).optional(),
    isSSORequired: z.boolean().default(false),
    publicKey: z.string().optional().describe('Ignored, which a header reports: a person proves a credential at registration'),
  }),
  response: User,
  handle: ({ body: { publicKey, ...person }, authority }, services) => {
    if (publicKey !== undefined) warn(authority.action, 'Ignored: publicKey');
    return create(services, authority, person);
  },
});
