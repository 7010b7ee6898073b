import { z } from 'zod';
import { addressWatchOf } from '../../application/address-watches/address-watches';
import { addressWatchView } from '../../application/address-watches/view';
import { operation } from '../http/operation';
import { AddressWatch, AddressWatchParams } from './schemas';

export const getAddressWatch = operation({
  id: 'getAddressWatch',
  method: 'get',
  path: '/address-watches/:addressWatchId',
  tag: 'address-watches',
  summary: 'Read one address watch',
  description: 'An archived watch can still be read. The call returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: AddressWatchParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: AddressWatch,
  handle: async ({ params, authority }, { db }) =>
    addressWatchView(await addressWatchOf(db.read(authority.caller.orgId), params.addressWatchId)),
});
