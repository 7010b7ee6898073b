import { z } from 'zod';
import { listAmendments as list } from '../../../application/amendments/authority';
import { operation } from '../../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../../http/pagination';
import { Amendment, AmendmentStatus } from './schemas';

export const listAmendments = operation({
  id: 'listAmendments',
  method: 'get',
  path: '/organizations/authority/amendments',
  tag: 'organizations',
  summary: 'List the signed changes by members that the charter must contain, newest first',
  description:
    'The list is empty for an organisation that never had a charter. Each change emits `charter.amended` or `charter.amendment.refused`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Orgs:Settings:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    status: AmendmentStatus.optional().describe('Only changes with this status; all changes by default'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(Amendment), nextPageToken: NextPageToken }),
  handle: async ({ query, authority }, { db }) => {
    const { status, limit, paginationToken } = query;
    const page = { status, after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), page), limit);
    return { items: [...rows], ...next };
  },
});
