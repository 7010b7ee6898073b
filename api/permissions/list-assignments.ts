import { z } from 'zod';
import { listAssignments as list } from '../../application/permissions/assignments';
import { operation } from '../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../http/pagination';
import { AssignmentWithPendingChange, PermissionParams } from './schemas';

export const listAssignments = operation({
  id: 'listAssignments',
  method: 'get',
  path: '/permissions/:permissionId/assignments',
  tag: 'permissions',
  summary: 'List the assignments of a permission, newest first',
  description:
    'Returns the assignments to users, service accounts and tokens, including the assignments of an archived permission. A removal ' +
    'that waits for approval is shown as `pendingChangeRequest`; an assignment that waits for approval is not ' +
    'listed.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Assignments:Read',
  userAction: false,
  params: PermissionParams,
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(AssignmentWithPendingChange), nextPageToken: NextPageToken }),
  handle: async ({ params: { permissionId }, query: { limit, paginationToken }, authority }, { db }) => {
    const found = await list(db.read(authority.caller.orgId), permissionId, { after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
