import { z } from 'zod';
import { charterStore } from '../../../entities/charters/charter.store';
import { operation } from '../../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../../http/pagination';
import { SeenCharter } from './schemas';

export const listCharterHeads = operation({
  id: 'listCharterHeads',
  method: 'get',
  path: '/organizations/authority/history',
  tag: 'organizations',
  summary: 'List the charters that the service has seen in force, newest first',
  description:
    'If two charters have the same sequence, a signer was started on an earlier version of its state folder. A charter that ' +
    'was in force for only a few seconds may be missing.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Orgs:Settings:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(SeenCharter), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const page = { after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await charterStore.heads(db.read(authority.caller.orgId), page), limit);
    return { items: rows.map(({ id: _place, dateSeen, ...head }) => ({ ...head, dateSeen: dateSeen.toISOString() })), ...next };
  },
});
