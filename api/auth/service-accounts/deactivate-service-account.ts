import { z } from 'zod';
import { deactivateServiceAccount as deactivate } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount, ServiceAccountParams } from './schemas';

export const deactivateServiceAccount = operation({
  id: 'deactivateServiceAccount',
  method: 'put',
  path: '/auth/service-accounts/:serviceAccountId/deactivate',
  tag: 'auth',
  summary: 'Deactivate a service account',
  description:
    'The token of the account is refused with 400 `UserDeactivated` from the next request on, until the account is ' +
    'reactivated; repeating the call changes nothing. An account cannot deactivate itself (400 `OwnState`). If an active ' +
    'policy lists the account as an approver, the call returns 409 `NamedApprover` with a list of the policies, unless `force` ' +
    'is true. If an approval can no longer reach its quorum after the change, the header `strongroom-warning` reports this; if ' +
    'the organisation has the setting `refuseUnreachable`, the change is refused with 409 `Unreachable` instead.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Deactivate',
  userAction: true,
  refusesPersonalTokens: true,
  params: ServiceAccountParams,
  query: z.strictObject({}),
  body: z
    .strictObject({
      force: z
        .boolean()
        .optional()
        .describe('Deactivate the account even if an active policy lists it as an approver; false by default'),
    })
    .optional(),
  response: ServiceAccount,
  handle: ({ params, body, authority }, services) =>
    deactivate(services, authority, params.serviceAccountId, body?.force === true),
});
