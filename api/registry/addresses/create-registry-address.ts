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
    'From `dateActive` on, policies that name the entry cover its address; `dateActive` follows the creation or its ' +
    'approval after the hours of the setting `registryCoolingHours`. The address is stored in the canonical spelling of ' +
    'its network; an invalid address causes 400 `InvalidAddress`, a network that this release does not support causes 400 ' +
    '`NetworkNotEnabled`, and an address of another active entry causes 409 `Conflict`. ' +
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
