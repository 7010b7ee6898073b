import { z } from 'zod';
import { watchCoverage } from '../../application/backfills/request-backfill';
import { operation } from '../http/operation';
import { AddressWatchBackfill, AddressWatchParams } from './schemas';

export const getAddressWatchBackfill = operation({
  id: 'getAddressWatchBackfill',
  method: 'get',
  path: '/address-watches/:addressWatchId/history/backfill',
  tag: 'address-watches',
  summary: 'Read from which block the history of a watched address is complete',
  description:
    'Returns the first block from which the history is complete, and the progress of the last back-fill. A back-fill that ended as ' +
    '`Gap` or `Stopped` left earlier blocks unread, and a further `backfillAddressWatchHistory` continues at `nextBlock`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: AddressWatchParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: AddressWatchBackfill,
  handle: async ({ params: { addressWatchId }, authority }, { db }) => {
    const { id: _, ...coverage } = await watchCoverage(db.read(authority.caller.orgId), addressWatchId);
    return { addressWatchId, ...coverage };
  },
});
