import { z } from 'zod';
import { updateServiceAccount as update } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount, ServiceAccountParams, UpdateServiceAccountBody } from './schemas';

export const updateServiceAccount = operation({
  id: 'updateServiceAccount',
  method: 'put',
  path: '/auth/service-accounts/:serviceAccountId',
  tag: 'auth',
  summary: 'Change the name or external ID of a service account',
  description:
    'Omitted members stay unchanged; the username, the token and its key cannot be changed. The call returns 409 `Conflict` if ' +
    'another unarchived service account has the `name`, or if any other user of the organisation, even an archived one, has ' +
    'the `externalId`. It returns 404 `NotFound` if the account is archived.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Update',
  userAction: true,
  params: ServiceAccountParams,
  query: z.strictObject({}),
  body: UpdateServiceAccountBody,
  response: ServiceAccount,
  handle: ({ params, body, authority }, services) => update(services, authority, params.serviceAccountId, body),
});
