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
    '`address_watch.blockchain_event.transfer.confirmed`. An address that is already watched keeps its watch unchanged, ' +
    'and an archived watch becomes active again with the same ID, its history and the members that the request names. A ' +
    'network whose blocks this service does not read causes 400 `NetworkNotEnabled`, and an address that is invalid on ' +
    'the network causes 400 `InvalidAddress`. An `externalId` that another request has used, or that differs from the one ' +
    'of an active watch of the address, causes 409 `Conflict`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: AddressWatchBody,
  response: AddressWatch,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
