import { z } from 'zod';
import { addressWatchOf } from '../../application/address-watches/address-watches';
import { chainEventsOf } from '../../application/movements/chain-events';
import { operation } from '../http/operation';
import { afterOf, tokenAfter } from '../http/pagination';
import { BlockchainEventQuery } from '../movement-schemas';
import { AddressWatchEvents, AddressWatchParams } from './schemas';

export const listAddressWatchBlockchainEvents = operation({
  id: 'listAddressWatchBlockchainEvents',
  method: 'get',
  path: '/address-watches/:addressWatchId/blockchain-events',
  tag: 'address-watches',
  summary: 'List the events in blocks that concern a watched address, newest first',
  description:
    'Returns the transfers of the native asset and of tokens that `getAddressWatchHistory` shows, in the same form as ' +
    '`address_watch.blockchain_event.transfer.confirmed`; a transfer from the address to itself is one event for each ' +
    'direction. On EVM networks the list also contains other logs, in the same form as ' +
    '`address_watch.blockchain_event.misc.confirmed`: logs that the address emitted, and logs with the address as an argument. ' +
    "Only logs that the registry's schema of the contract describes, and logs of well-known events, are decoded and listed. " +
    'Any contract can emit any log; the list includes events that are only `Included` so far, and omits an event that a ' +
    'reorganisation has removed.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: AddressWatchParams,
  query: BlockchainEventQuery,
  body: z.undefined(),
  response: AddressWatchEvents,
  handle: async ({ params: { addressWatchId }, query: { limit, paginationToken, ...filter }, authority }, { db }) => {
    const reader = db.read(authority.caller.orgId);
    const watch = await addressWatchOf(reader, addressWatchId);
    const { network } = watch;
    const { events, after } = await chainEventsOf(
      reader,
      watch,
      'Watches',
      { ...filter, after: afterOf(paginationToken) },
      limit,
    );
    return {
      ...{ items: events.map((event) => ({ addressWatchId, network, ...event })), addressWatchId, network },
      ...(after === undefined ? {} : { nextPageToken: tokenAfter(after) }),
    };
  },
});
