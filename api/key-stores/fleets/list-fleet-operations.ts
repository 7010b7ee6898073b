import { z } from 'zod';
import { listGroups } from '../../../application/fleets/read-groups';
import { FLEET_STATES } from '../../../domain/fleets';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, tokenAfter } from '../../http/pagination';
import { FleetGroupPage, StoreParams } from './schemas';

export const listFleetOperations = operation({
  id: 'listFleetOperations',
  method: 'get',
  path: '/key-stores/:storeId/fleet-operations',
  tag: 'signers',
  summary: 'List the groups of fleet operations of a key store, newest first',
  description:
    'Each group has one archive, and its operations are decided together. The call returns 404 `NotFound` for a key store that ' +
    'is not an offline store of the organisation.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Read',
  userAction: false,
  params: StoreParams,
  query: PageQuery.extend({ status: z.enum(FLEET_STATES).optional().describe('Only groups with this status') }),
  body: z.undefined(),
  response: FleetGroupPage,
  handle: async ({ params: { storeId }, query: { status, limit, paginationToken }, authority }, { db }) => {
    const page = { storeId, status, after: afterOf(paginationToken) };
    const groups = await listGroups(db.read(authority.caller.orgId), page, limit);
    const items = groups.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(groups.length > limit && last ? { nextPageToken: tokenAfter(last.groupId) } : {}) };
  },
});
