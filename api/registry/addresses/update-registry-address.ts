import { z } from 'zod';
import { updateRegistryAddress as update } from '../../../application/registry/registry-addresses';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import {
  RegistryAddress,
  RegistryAddressChangeRequest,
  RegistryAddressParams,
  RegistryAddressText,
  RegistryName,
} from './schemas';

export const updateRegistryAddress = operation({
  id: 'updateRegistryAddress',
  method: 'put',
  path: '/registry/addresses/:addressId',
  tag: 'registry',
  summary: 'Replace an entry; a new address starts a new cooling period, and the former one is delisted at once',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Update',
  userAction: true,
  params: RegistryAddressParams,
  query: z.strictObject({}),
  body: z.strictObject({ name: RegistryName, address: RegistryAddressText }),
  response: RegistryAddress,
  accepted: RegistryAddressChangeRequest,
  handle: async ({ params, body, authority }, services) =>
    answerOfChange(await update(services, authority, params.addressId, body)),
});
