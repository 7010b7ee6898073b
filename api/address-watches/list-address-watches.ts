import { z } from 'zod';
import { listAddressWatches as list } from '../../application/address-watches/address-watches';
import { operation } from '../http/operation';
import { afterOf, pageOf } from '../http/pagination';
import { AddressWatchPage, ListAddressWatchesQuery } from './schemas';

export const listAddressWatches = operation({
  id: 'listAddressWatches',
  method: 'get',
  path: '/address-watches',
  tag: 'address-watches',
  summary: 'List the address watches of the organisation, newest first',
  description:
    'Archived watches are listed too, unless `status` leaves them out. `address` finds an address in any spelling that its ' +
    'network accepts; the call returns 400 `InvalidAddress` for a spelling that no network accepts.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: z.strictObject({}),
  query: ListAddressWatchesQuery,
  body: z.undefined(),
  response: AddressWatchPage,
  handle: async ({ query: { limit, paginationToken, ...filter }, authority }, { db }) => {
    const asked = { ...filter, after: afterOf(paginationToken) };
    const { rows, ...next } = pageOf(await list(db.read(authority.caller.orgId), asked, limit), limit);
    return { items: [...rows], ...next };
  },
});
