import { z } from 'zod';
import { servedNetwork } from '../../../application/networks/enabled-networks';
import { listRegistryAddresses as list } from '../../../application/registry/registry-addresses';
import { operation } from '../../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../../http/pagination';
import { AnyNetwork, RegistryAddressText, RegistryAddressWithPendingChange, RegistryStatus } from './schemas';

export const listRegistryAddresses = operation({
  id: 'listRegistryAddresses',
  method: 'get',
  path: '/registry/addresses',
  tag: 'registry',
  summary: 'List the entries of the address registry, newest first',
  description:
    'Active entries are listed unless `status` selects deleted entries; `address` finds an entry by any spelling that its ' +
    'network accepts, and the call returns 400 `InvalidAddress` for a spelling that no network accepts. A change that waits ' +
    'for approval is shown as `pendingChangeRequest`; an entry whose creation waits is not listed.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:Addresses:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    network: AnyNetwork.optional().describe('Only entries on this network'),
    address: RegistryAddressText.optional().describe('In any spelling that its network accepts'),
    status: RegistryStatus.default('Active'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(RegistryAddressWithPendingChange), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken, network: name, ...filters }, authority }, { db }) => {
    const network = name && servedNetwork(name, 'query.network');
    const found = await list(db.read(authority.caller.orgId), { ...filters, network, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
