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
    'The network of an entry stays; another address starts a new cooling period (`registryCoolingHours`), and the former ' +
    'address is delisted at once, so that activities that are not signed yet are judged again. A deleted entry causes 409 ' +
    '`WrongState`, an address of another active entry causes 409 `Conflict`, and an address that is invalid on the ' +
    'network causes 400 `InvalidAddress`; a request that changes nothing returns the entry. ' +
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
