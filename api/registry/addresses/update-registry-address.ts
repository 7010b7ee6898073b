import { z } from 'zod';
import { updateRegistryAddress as update } from '../../../application/registry/registry-addresses';
import { aboutPolicies, answerOfChange } from '../../http/change-requests';
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
  summary: 'Replace the name and the address of a registry entry',
  description:
    'The network of an entry cannot change. A new address starts a new cooling period (`registryCoolingHours`), and the former ' +
    'address is delisted at once, so that activities that are not signed yet are judged again. The call returns 409 ' +
    '`WrongState` if the entry was deleted, 409 `Conflict` if another active entry has the address, and 400 `InvalidAddress` ' +
    'if the address is invalid on the network; a request that changes nothing returns the entry. ' +
    aboutPolicies('Registry:Addresses:Modify'),
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
