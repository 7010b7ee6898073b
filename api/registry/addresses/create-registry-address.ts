import { z } from 'zod';
import { servedNetwork } from '../../../application/networks/enabled-networks';
import { createRegistryAddress as create } from '../../../application/registry/registry-addresses';
import { aboutPolicies, answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { AnyNetwork, RegistryAddress, RegistryAddressChangeRequest, RegistryAddressText, RegistryName } from './schemas';

export const createRegistryAddress = operation({
  id: 'createRegistryAddress',
  method: 'post',
  path: '/registry/addresses',
  tag: 'registry',
  summary: 'Add an address to the registry',
  description:
    'From `dateActive` on, policies that name the entry cover its address; `dateActive` is the time of the creation or of its ' +
    'approval, plus the hours in the setting `registryCoolingHours`. The address is stored in the canonical spelling of its ' +
    'network. The call returns 400 `InvalidAddress` if the address is invalid, 400 `NetworkNotEnabled` if this release does ' +
    'not support the network, and 409 `Conflict` if another active entry has the address. ' +
    aboutPolicies('Registry:Addresses:Modify'),
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: RegistryName, network: AnyNetwork, address: RegistryAddressText }),
  response: RegistryAddress,
  accepted: RegistryAddressChangeRequest,
  handle: async ({ body, authority }, services) =>
    answerOfChange(await create(services, authority, { ...body, network: servedNetwork(body.network, 'body.network') })),
});
