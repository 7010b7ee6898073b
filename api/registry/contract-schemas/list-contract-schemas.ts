import { z } from 'zod';
import { listContractSchemas as list } from '../../../application/registry/contract-schemas';
import { operation } from '../../http/operation';
import { afterOf, NextPageToken, PageQuery, pageOf } from '../../http/pagination';
import { RegistryNetwork, RegistryStatus } from '../addresses/schemas';
import { ContractSchemaWithPendingChange } from './schemas';

export const listContractSchemas = operation({
  id: 'listContractSchemas',
  method: 'get',
  path: '/registry/contract-schemas',
  tag: 'registry',
  summary: 'List the contract schemas of the registry, newest first',
  description:
    'Active schemas are listed unless `status` selects deleted schemas. A deletion that waits for approval is shown as ' +
    '`pendingChangeRequest`; a schema whose creation waits is not listed.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:ContractSchemas:Read',
  userAction: false,
  params: z.strictObject({}),
  query: PageQuery.extend({
    network: RegistryNetwork.optional().describe('Only schemas of contracts on this network'),
    status: RegistryStatus.default('Active'),
  }),
  body: z.undefined(),
  response: z.object({ items: z.array(ContractSchemaWithPendingChange), nextPageToken: NextPageToken }),
  handle: async ({ query: { limit, paginationToken, ...filters }, authority }, { db }) => {
    const found = await list(db.read(authority.caller.orgId), { ...filters, after: afterOf(paginationToken), limit });
    const { rows, ...next } = pageOf(found, limit);
    return { items: [...rows], ...next };
  },
});
