import { z } from 'zod';
import { deleteRegistryAddress as remove } from '../../../application/registry/registry-addresses';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { RegistryAddress, RegistryAddressChangeRequest, RegistryAddressParams } from './schemas';

export const deleteRegistryAddress = operation({
  id: 'deleteRegistryAddress',
  method: 'delete',
  path: '/registry/addresses/:addressId',
  tag: 'registry',
  summary: 'Remove an address from the registry for good; policies that name the entry then list no address by it',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Delete',
  userAction: true,
  params: RegistryAddressParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: RegistryAddress,
  accepted: RegistryAddressChangeRequest,
  handle: async ({ params, authority }, services) => answerOfChange(await remove(services, authority, params.addressId)),
});
