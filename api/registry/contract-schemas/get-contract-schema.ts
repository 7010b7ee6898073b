import { z } from 'zod';
import { getContractSchema as get } from '../../../application/registry/contract-schemas';
import { operation } from '../../http/operation';
import { ContractSchemaParams, ContractSchemaWithPendingChange } from './schemas';

export const getContractSchema = operation({
  id: 'getContractSchema',
  method: 'get',
  path: '/registry/contract-schemas/:contractSchemaId',
  tag: 'registry',
  summary: 'Read one contract schema',
  description:
    'A deleted schema can still be read. A deletion that waits for approval is shown as `pendingChangeRequest`; the call ' +
    'returns 404 `NotFound` if the ID is unknown.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:ContractSchemas:Read',
  userAction: false,
  params: ContractSchemaParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: ContractSchemaWithPendingChange,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.contractSchemaId),
});
