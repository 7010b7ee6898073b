import { z } from 'zod';
import { deactivateServiceAccount as deactivate } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount, ServiceAccountParams } from './schemas';

export const deactivateServiceAccount = operation({
  id: 'deactivateServiceAccount',
  method: 'put',
  path: '/auth/service-accounts/:serviceAccountId/deactivate',
  tag: 'auth',
  summary: 'Deactivate a service account; `force` does so even if a policy names it as an approver',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Deactivate',
  userAction: true,
  refusesPersonalTokens: true,
  params: ServiceAccountParams,
  query: z.strictObject({}),
  body: z.strictObject({ force: z.boolean().optional() }).optional(),
  response: ServiceAccount,
  handle: ({ params, body, authority }, services) =>
    deactivate(services, authority, params.serviceAccountId, body?.force === true),
});
