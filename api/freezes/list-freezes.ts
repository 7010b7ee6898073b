import { z } from 'zod';
import { listFreezes as list } from '../../application/freezes/request-freeze';
import { operation } from '../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../http/pagination';
import { FreezeStatus, FreezeTargetKind, FreezeWithPendingChange } from './schemas';

export const listFreezes = operation({
  id: 'listFreezes',
  method: 'get',
  path: '/freezes',
  tag: 'freezes',
  summary: 'List the freezes of the organisation, newest first',
  description:
    'Released freezes are included unless `status` excludes them. A release that waits for approval is shown as ' +
    '`pendingChangeRequest`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    status: FreezeStatus.optional().describe('Only freezes with this status; by default, freezes with either status'),
    targetKind: FreezeTargetKind.optional().describe('Only freezes of this kind of target'),
    targetId: z.string().min(1).max(64).optional().describe('ID of the target, or name of the network'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(FreezeWithPendingChange), nextPageToken: NextPageToken }),
  handle: async ({ query, authority }, { db }) => {
    const { status, targetKind, targetId, limit, paginationToken } = query;
    const page = { status, targetKind, targetId, after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), page), limit);
    return { items: [...rows], ...next };
  },
});
