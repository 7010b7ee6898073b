import { z } from 'zod';
import { deleteRegistryAddress as remove } from '../../../application/registry/registry-addresses';
import { aboutPolicies, answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { RegistryAddress, RegistryAddressChangeRequest, RegistryAddressParams } from './schemas';

export const deleteRegistryAddress = operation({
  id: 'deleteRegistryAddress',
  method: 'delete',
  path: '/registry/addresses/:addressId',
  tag: 'registry',
  summary: 'Delete an entry of the address registry',
  description:
    'Policies that name the entry no longer cover its address, and activities that are not signed yet are judged again. The ' +
    'entry stays readable by its ID, repeating the call changes nothing, and the address may be registered again under a new ' +
    'ID. ' +
    aboutPolicies('Registry:Addresses:Modify'),
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
