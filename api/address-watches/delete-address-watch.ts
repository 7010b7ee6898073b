import { z } from 'zod';
import { deleteAddressWatch as remove } from '../../application/address-watches/address-watches';
import { operation } from '../http/operation';
import { AddressWatch, AddressWatchParams } from './schemas';

export const deleteAddressWatch = operation({
  id: 'deleteAddressWatch',
  method: 'delete',
  path: '/address-watches/:addressWatchId',
  tag: 'address-watches',
  summary: 'Stop watching an address',
  description:
    'The watch becomes `Archived`: no further movements are recorded and no further events are emitted, not even for recorded ' +
    'movements that are still unconfirmed. The watch and its history stay readable, and `createAddressWatch` makes it active ' +
    'again. Repeating the call changes nothing.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Delete',
  userAction: true,
  params: AddressWatchParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: AddressWatch,
  handle: ({ params, authority }, services) => remove(services, authority, params.addressWatchId),
});
