import { z } from 'zod';
import { listServiceAccounts as list } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { ServiceAccount } from './schemas';

export const listServiceAccounts = operation({
  id: 'listServiceAccounts',
  method: 'get',
  path: '/auth/service-accounts',
  tag: 'auth',
  summary: 'List the service accounts of the organisation, newest first',
  description:
    'Returns all accounts in one response, including deactivated but not archived accounts, each with its permissions and the ' +
    'record of its token. Only the response that creates an account contains the token itself.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({ items: z.array(ServiceAccount) }),
  handle: async ({ authority }, services) => ({ items: await list(services, authority.caller.orgId) }),
});
