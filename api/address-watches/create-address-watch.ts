import { z } from 'zod';
import { createAddressWatch as create } from '../../application/address-watches/address-watches';
import { operation } from '../http/operation';
import { AddressWatch, AddressWatchBody } from './schemas';

export const createAddressWatch = operation({
  id: 'createAddressWatch',
  method: 'post',
  path: '/address-watches',
  tag: 'address-watches',
  summary: 'Watch an address on a network',
  description:
    'From the next block on, movements into and out of the address are recorded, and each final movement emits ' +
    '`address_watch.blockchain_event.transfer.confirmed`. If the address is already watched, the existing watch stays ' +
    'unchanged; an archived watch becomes active again with the same ID, its history and the values in the request. The call ' +
    'returns 400 `NetworkNotEnabled` if the service does not read the blocks of the network, and 400 `InvalidAddress` if the ' +
    'address is invalid on the network. It returns 409 `Conflict` if another request has used the `externalId`, or if the ' +
    'address has an active watch with a different `externalId`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: AddressWatchBody,
  response: AddressWatch,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
