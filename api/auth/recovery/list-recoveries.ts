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
  summary: "List the caller's recoveries, newest first; a full administrator sees those of all users",
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(Recovery), nextPageToken: z.string().optional() }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const { rows, nextPageToken } = pageOf(await list(db, authority.caller, { after: afterOf(paginationToken), limit }), limit);
    return { items: rows.map(recoveryView), nextPageToken };
  },
});
