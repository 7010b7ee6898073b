import { z } from 'zod';
import { listFreezes as list } from '../../application/freezes/request-freeze';
import { operation } from '../http/operation';
import { afterOf, PageQuery, pageOf } from '../http/pagination';
import { FreezeStatus, FreezeTargetKind, FreezeWithPendingChange } from './schemas';

export const listFreezes = operation({
  id: 'listFreezes',
  method: 'get',
  path: '/freezes',
  tag: 'freezes',
  summary: 'List the freezes of the organisation, newest first',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    status: FreezeStatus.optional(),
    targetKind: FreezeTargetKind.optional(),
    targetId: z.string().min(1).max(64).optional(),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(FreezeWithPendingChange), nextPageToken: z.string().optional() }),
  handle: async ({ query, authority }, { db }) => {
    const { status, targetKind, targetId, limit, paginationToken } = query;
    const page = { status, targetKind, targetId, after: afterOf(paginationToken), limit };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), page), limit);
    return { items: [...rows], ...next };
  },
});
