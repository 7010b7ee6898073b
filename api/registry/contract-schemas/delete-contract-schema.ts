import { z } from 'zod';
import { deleteContractSchema as remove } from '../../../application/registry/contract-schemas';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { ContractSchema, ContractSchemaChangeRequest, ContractSchemaParams } from './schemas';

export const deleteContractSchema = operation({
  id: 'deleteContractSchema',
  method: 'delete',
  path: '/registry/contract-schemas/:contractSchemaId',
  tag: 'registry',
  summary: 'Remove a contract schema from the registry for good',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:ContractSchemas:Delete',
  userAction: true,
  params: ContractSchemaParams,
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  response: ContractSchema,
  accepted: ContractSchemaChangeRequest,
  handle: async ({ params, authority }, services) => answerOfChange(await remove(services, authority, params.contractSchemaId)),
});
