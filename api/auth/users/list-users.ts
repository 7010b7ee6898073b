import { z } from 'zod';
import { listUsers as list } from '../../../application/users/users';
import { userView } from '../../../application/users/view';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { User, UserKind } from './schemas';

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/auth/users',
  tag: 'auth',
  summary: 'List the users of the organisation, newest first',
  description:
    'Service accounts are included; archived users are not. A page contains at most `limit` users, and `nextPageToken` ' +
    'leads to the next page. The call returns `InvalidPaginationToken` (400) if the service did not issue the token.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Users:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({ kind: UserKind.optional().describe('Returns only users of this kind') }),
  body: z.undefined(),
  response: z.object({ items: z.array(User), nextPageToken: z.string().optional().describe('Absent on the last page') }),
  handle: async ({ query, authority }, { db }) => {
    const { kind, limit, paginationToken } = query;
    const page = pageOf(await list(db.read(authority.caller.orgId), { kind, after: afterOf(paginationToken), limit }), limit);
    return { items: page.rows.map(userView), nextPageToken: page.nextPageToken };
  },
});
