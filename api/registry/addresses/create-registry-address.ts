import { z } from 'zod';
import { servedNetwork } from '../../../application/networks/enabled-networks';
import { createRegistryAddress as create } from '../../../application/registry/registry-addresses';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { AnyNetwork, RegistryAddress, RegistryAddressChangeRequest, RegistryAddressText, RegistryName } from './schemas';

export const createRegistryAddress = operation({
  id: 'createRegistryAddress',
  method: 'post',
  path: '/registry/addresses',
  tag: 'registry',
  summary: "Add an address to the registry; the entry takes effect after the organisation's cooling period",
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
