import { z } from 'zod';
import { warn } from '../../../application/user-actions/act';
import { createUser as create } from '../../../application/users/create-user';
import { operation } from '../../http/operation';
import { User } from './schemas';

/** RFC 5321, 4.5.3.1.3, allows 256 characters including the two angle brackets around the address. */
const EMAIL_LENGTH_MAX = 254;
const EXTERNAL_ID_LENGTH_MAX = 100;

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/auth/users',
  tag: 'auth',
  summary: 'Invite an employee by mail',
  description:
    'The user has no permission until one is assigned. The registration code is mailed to the user and valid for three days; ' +
    '`PUT /auth/registration/code` mails a new one. A user name that is already taken in the organisation is refused with 401 ' +
    '`UserExists`: the published interface specifies that status, and its clients rely on it. The bearer token is still valid ' +
    'after this 401. An `externalId` that belongs to another user, even an archived one, is refused with `Conflict` (409).',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  refusesPersonalTokens: true,
  permission: 'Auth:Users:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    email: z.email().max(EMAIL_LENGTH_MAX).describe('Becomes the user name and receives the registration code'),
    kind: z.literal('CustomerEmployee'),
    externalId: z
      .string()
      .min(1)
      .max(EXTERNAL_ID_LENGTH_MAX)
      .optional()
      .describe('Unique among the users of the organisation, including archived users'),
    isSSORequired: z.boolean().default(false).describe("True if the user must log in at the organisation's identity provider"),
    publicKey: z
      .string()
      .optional()
      .describe(
        'Ignored, because a user registers credentials with the code; a response header reports that this member was ignored',
      ),
  }),
  response: User,
  handle: ({ body: { publicKey, ...person }, authority }, services) => {
    if (publicKey !== undefined) warn(authority.action, 'Ignored: publicKey');
    return create(services, authority, person);
  },
});
