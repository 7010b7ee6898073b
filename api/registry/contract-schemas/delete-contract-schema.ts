import { z } from 'zod';
import { deleteContractSchema as remove } from '../../../application/registry/contract-schemas';
import { aboutPolicies, answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { ContractSchema, ContractSchemaChangeRequest, ContractSchemaParams } from './schemas';

export const deleteContractSchema = operation({
  id: 'deleteContractSchema',
  method: 'delete',
  path: '/registry/contract-schemas/:contractSchemaId',
  tag: 'registry',
  summary: 'Delete a contract schema',
  description:
    'The schema stays readable by its ID, and a new schema may describe the contract; repeating the call changes nothing. ' +
    aboutPolicies('Registry:ContractSchemas:Modify'),
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
