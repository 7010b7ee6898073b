import { z } from 'zod';
import { recoveryView } from '../../../application/recovery/view';
import { listRecoveries as list } from '../../../application/recovery/waiting-recoveries';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { Recovery } from './schemas';

export const listRecoveries = operation({
  id: 'listRecoveries',
  method: 'get',
  path: '/auth/recover/user',
  tag: 'auth',
  summary: 'List recoveries, newest first',
  description:
    'Returns waiting and ended recoveries, including those that an operator began. The new credentials are omitted. An ' +
    "administrator with full access sees the recoveries of all users; any other caller sees only the caller's own. " +
    'To read the next page, pass `nextPageToken` as `paginationToken`. The call returns `InvalidPaginationToken` (400) if the ' +
    'service did not issue the token.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(Recovery), nextPageToken: z.string().optional().describe('Absent on the last page') }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const { rows, nextPageToken } = pageOf(await list(db, authority.caller, { after: afterOf(paginationToken), limit }), limit);
    return { items: rows.map(recoveryView), nextPageToken };
  },
});
