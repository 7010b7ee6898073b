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
    'The account, its token and its key become invalid at once and cannot be restored; the response is the last record, and ' +
    'repeating the call returns 404 `NotFound`. An account cannot archive itself (400 `OwnState`). If an active policy lists ' +
    'the account as an approver, the call returns 409 `NamedApprover` with a list of the policies, unless `force` is true. If ' +
    'an approval can no longer reach its quorum after the change, the header `strongroom-warning` reports this; if the ' +
    'organisation has the setting `refuseUnreachable`, the change is refused with 409 `Unreachable` instead. The `name` can be ' +
    'used again, but the `externalId` cannot.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:ServiceAccounts:Delete',
  userAction: true,
  params: ServiceAccountParams,
  query: z.strictObject({ force: QueryFlag.describe('Archive the account even if an active policy lists it as an approver') }),
  body: EmptyBody,
  response: ServiceAccount,
  handle: ({ params, query, authority }, services) => archive(services, authority, params.serviceAccountId, query.force),
});
