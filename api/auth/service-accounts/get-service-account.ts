import { z } from 'zod';
import { getServiceAccount as get } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount, ServiceAccountParams } from './schemas';

export const getServiceAccount = operation({
  id: 'getServiceAccount',
  method: 'get',
  path: '/auth/service-accounts/:serviceAccountId',
  tag: 'auth',
  summary: 'Read one service account',
  description:
    'Returns the account with its permissions and the record of its token, never the token itself. The call returns 404 ' +
    '`NotFound` if the account is archived.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Read',
  userAction: false,
  params: ServiceAccountParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: ServiceAccount,
  handle: ({ params, authority }, services) => get(services, authority.caller.orgId, params.serviceAccountId),
});
