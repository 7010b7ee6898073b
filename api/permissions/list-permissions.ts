import { z } from 'zod';
import { listPermissions as list } from '../../application/permissions/permissions';
import { operation } from '../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../http/pagination';
import { PermissionWithPendingChange } from './schemas';

export const listPermissions = operation({
  id: 'listPermissions',
  method: 'get',
  path: '/permissions',
  tag: 'permissions',
  summary: 'List the permissions of the organisation, newest first',
  description:
    'Archived and managed permissions are included. A change of a permission that waits for approval is shown as its ' +
    '`pendingChangeRequest`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Permissions:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery,
  body: z.undefined(),
  response: z.object({ items: z.array(PermissionWithPendingChange), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken }, authority }, { db }) => {
    const found = await list(db.read(authority.caller.orgId), { after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
