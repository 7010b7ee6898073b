import { z } from 'zod';
import { delegateRegistration } from '../../../application/registration/end-user-registration';
import { operation } from '../../http/operation';
import { RegistrationChallenge, SaidUsername } from './schemas';

const EXTERNAL_ID_CHARS_MAX = 100;

export const createDelegatedRegistrationChallenge = operation({
  id: 'createDelegatedRegistrationChallenge',
  method: 'post',
  path: '/auth/registration/delegated',
  tag: 'auth',
  summary: 'Begin the registration of an end user whom the caller has identified',
  description:
    'Creates the end user unless an unregistered end user already has this name; repeating the call voids the earlier ' +
    'challenge. The returned bearer token completes the registration once within 30 minutes, at `POST /auth/registration` or ' +
    '`POST /auth/registration/enduser`. The call returns `UserExists` (401) if any other user has the name, `UserDeactivated` ' +
    '(400) if the end user is deactivated, and `Conflict` (409) if the `externalId` belongs to another user.',
  callers: ['ServiceAccount'],
  permission: 'Auth:Register:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    email: SaidUsername.describe('Becomes the user name; only its length is checked'),
    kind: z.literal('EndUser'),
    externalId: z
      .string()
      .min(1)
      .max(EXTERNAL_ID_CHARS_MAX)
      .optional()
      .describe('Unique among the users of the organisation, including archived users'),
  }),
  response: RegistrationChallenge,
  handle: ({ body: { email, externalId }, authority }, services) =>
    delegateRegistration(services, authority, { email, externalId }),
});
