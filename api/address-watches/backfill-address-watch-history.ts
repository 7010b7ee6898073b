import { z } from 'zod';
import { backfillAddressWatch } from '../../application/backfills/request-backfill';
import { BACKFILL_WORDS, BackfillBody, rangeOf } from '../backfill-schemas';
import { operation } from '../http/operation';
import { AddressWatchBackfill, AddressWatchParams } from './schemas';

export const backfillAddressWatchHistory = operation({
  id: 'backfillAddressWatchHistory',
  method: 'post',
  path: '/address-watches/:addressWatchId/history/backfill',
  tag: 'address-watches',
  summary: 'Read earlier blocks for the history of a watched address',
  description:
    `Starts the workflow \`scanAddress\`; \`getAddressWatchBackfill\` returns its progress. ${BACKFILL_WORDS} The call returns 409 ` +
    '`Conflict` while another back-fill of the watch is running, or while five back-fills of the organisation are running. It ' +
    'returns 409 `WrongState` if the watch is archived or no block has been read for it yet, and 400 `NetworkNotEnabled` if ' +
    'the service does not read earlier blocks of the network.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Create',
  userAction: true,
  params: AddressWatchParams,
  query: z.strictObject({}),
  body: BackfillBody,
  response: AddressWatchBackfill,
  handle: async ({ params: { addressWatchId }, body, authority }, services) => {
    const { id: _, ...coverage } = await backfillAddressWatch(services, authority, addressWatchId, rangeOf(body));
    return { addressWatchId, ...coverage };
  },
});
