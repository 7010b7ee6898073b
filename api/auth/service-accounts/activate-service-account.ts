import { z } from 'zod';
import { EmptyBody } from '../../../application/bodies/empty';
import { activateServiceAccount as activate } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount, ServiceAccountParams } from './schemas';

export const activateServiceAccount = operation({
  id: 'activateServiceAccount',
  method: 'put',
  path: '/auth/service-accounts/:serviceAccountId/activate',
  tag: 'auth',
  summary: 'Reactivate a service account',
  description:
    'The token of the account is accepted again from the next request on; an account that is already active stays unchanged. ' +
    'Where service accounts may vote, a reactivated account is treated as a new voter and may approve only after the hours in ' +
    'the setting `voterCoolingHours`. The call returns 404 `NotFound` if the account is archived.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Activate',
  userAction: true,
  refusesPersonalTokens: true,
  params: ServiceAccountParams,
  query: z.strictObject({}),
  body: EmptyBody,
  response: ServiceAccount,
  handle: ({ params, authority }, services) => activate(services, authority, params.serviceAccountId),
});
