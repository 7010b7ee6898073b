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
    'reactivated; a repetition changes nothing. An account cannot deactivate itself (400 `OwnState`). If an active policy ' +
    'names the account as an approver, the call returns 409 `NamedApprover`, which lists the policies, unless `force` is ' +
    'true. A change that leaves an approval without a reachable quorum is reported in the header `strongroom-warning`, or ' +
    'refused with 409 `Unreachable` if the organisation has the setting `refuseUnreachable`.',
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
        .describe('Deactivate the account even if an active policy names it as an approver; false by default'),
    })
    .optional(),
  response: ServiceAccount,
  handle: ({ params, body, authority }, services) =>
    deactivate(services, authority, params.serviceAccountId, body?.force === true),
});
