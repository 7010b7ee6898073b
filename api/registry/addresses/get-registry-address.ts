import { z } from 'zod';
import { getRegistryAddress as get } from '../../../application/registry/registry-addresses';
import { operation } from '../../http/operation';
import { RegistryAddressParams, RegistryAddressWithPendingChange } from './schemas';

export const getRegistryAddress = operation({
  id: 'getRegistryAddress',
  method: 'get',
  path: '/registry/addresses/:addressId',
  tag: 'registry',
  summary: 'Read one entry of the address registry',
  description:
    'A deleted entry can still be read. A change that waits for approval is shown as `pendingChangeRequest`; the call returns ' +
    '404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Read',
  userAction: false,
  params: RegistryAddressParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: RegistryAddressWithPendingChange,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.addressId),
});
