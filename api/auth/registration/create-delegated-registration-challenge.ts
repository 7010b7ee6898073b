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
  summary: "Begin the registration of an end user on the caller's responsibility; no mail is sent",
  callers: ['ServiceAccount'],
  permission: 'Auth:Register:Delegated',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    email: SaidUsername,
    kind: z.literal('EndUser'),
    externalId: z.string().min(1).max(EXTERNAL_ID_CHARS_MAX).optional(),
  }),
  response: RegistrationChallenge,
  handle: ({ body: { email, externalId }, authority }, services) =>
    delegateRegistration(services, authority, { email, externalId }),
});
