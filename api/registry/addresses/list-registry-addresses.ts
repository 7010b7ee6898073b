import { z } from 'zod';
import { servedNetwork } from '../../../application/networks/enabled-networks';
import { listRegistryAddresses as list } from '../../../application/registry/registry-addresses';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { AnyNetwork, RegistryAddressText, RegistryAddressWithPendingChange, RegistryStatus } from './schemas';

export const listRegistryAddresses = operation({
  id: 'listRegistryAddresses',
  method: 'get',
  path: '/registry/addresses',
  tag: 'registry',
  summary: 'List the entries of the address registry, newest first; deleted ones only on request',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    network: AnyNetwork.optional(),
    address: RegistryAddressText.optional(),
    status: RegistryStatus.default('Active'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(RegistryAddressWithPendingChange), nextPageToken: z.string().optional() }),
  handle: async ({ query: { limit, paginationToken, network: name, ...filters }, authority }, { db }) => {
    const network = name && servedNetwork(name, 'query.network');
    const found = await list(db.read(authority.caller.orgId), { ...filters, network, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
