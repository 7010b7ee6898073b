import { z } from 'zod';
import { addressWatchOf } from '../../application/address-watches/address-watches';
import { historyOf, pageKeyOf } from '../../application/movements/history';
import { watchedMovementView } from '../../application/movements/view';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { operation } from '../http/operation';
import { afterOf, PageQuery, tokenAfter } from '../http/pagination';
import { AddressWatchHistory, AddressWatchParams } from './schemas';

export const getAddressWatchHistory = operation({
  id: 'getAddressWatchHistory',
  method: 'get',
  path: '/address-watches/:addressWatchId/history',
  tag: 'address-watches',
  summary: 'List the movements into and out of a watched address, newest first',
  description:
    'Returns each movement of an asset that a block reports; a movement that a reorganisation has removed is left out. The ' +
    'history is complete from the block `liveFromBlock` on; the history of a watch that was archived for a time has a gap ' +
    'before this block. An asset with `verified: false` may be worthless or imitate another asset. The call returns 400 ' +
    '`NetworkNotEnabled` if the service no longer reads the blocks of the network.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: AddressWatchParams,
  query: PageQuery,
  body: z.undefined(),
  response: AddressWatchHistory,
  handle: async ({ params: { addressWatchId }, query: { limit, paginationToken }, authority }, { db }) => {
    const reader = db.read(authority.caller.orgId);
    const watch = await addressWatchOf(reader, addressWatchId);
    const [{ rows }, liveFrom] = await Promise.all([
      historyOf(reader, watch, 'Watches', { after: afterOf(paginationToken) }, limit + 1),
      watchedAddressStore.liveFrom(reader, watch.id),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      ...{ items: page.map(watchedMovementView), addressWatchId, network: watch.network },
      ...(liveFrom === undefined ? {} : { liveFromBlock: liveFrom }),
      ...(rows.length > limit && last ? { nextPageToken: tokenAfter(pageKeyOf(last)) } : {}),
    };
  },
});
