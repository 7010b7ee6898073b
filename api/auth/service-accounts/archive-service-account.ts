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
  summary: 'Archive a service account',
  description:
    'The account, its token and its key become invalid at once and cannot be restored; the response is the last record, ' +
    'and a repetition causes 404 `NotFound`. An account cannot archive itself (400 `OwnState`). If an active policy names ' +
    'the account as an approver, the call returns 409 `NamedApprover`, which lists the policies, unless `force` is true. ' +
    'A change that leaves an approval without a reachable quorum is reported in the header `strongroom-warning`, or ' +
    'refused with 409 `Unreachable` if the organisation has the setting `refuseUnreachable`. The `name` can be used ' +
    'again, but the `externalId` cannot.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Delete',
  userAction: true,
  params: ServiceAccountParams,
  query: z.strictObject({ force: QueryFlag.describe('Archive the account even if an active policy names it as an approver') }),
  body: EmptyBody,
  response: ServiceAccount,
  handle: ({ params, query, authority }, services) => archive(services, authority, params.serviceAccountId, query.force),
});
