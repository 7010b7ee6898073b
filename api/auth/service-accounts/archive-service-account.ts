import { z } from 'zod';
import { EmptyBody } from '../../../application/bodies/empty';
import { archiveServiceAccount as archive } from '../../../application/users/service-accounts';
import { operation } from '../../http/operation';
import { QueryFlag } from '../../http/query-flag';
import { ServiceAccount, ServiceAccountParams } from './schemas';

export const archiveServiceAccount = operation({
  id: 'archiveServiceAccount',
  method: 'delete',
  path: '/auth/service-accounts/:serviceAccountId',
  tag: 'auth',
  summary: 'Archive a service account for good; `force` does so even if a policy names it as an approver',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Delete',
  userAction: true,
  params: ServiceAccountParams,
  query: z.strictObject({ force: QueryFlag }),
  body: EmptyBody,
  response: ServiceAccount,
  handle: ({ params, query, authority }, services) => archive(services, authority, params.serviceAccountId, query.force),
});
