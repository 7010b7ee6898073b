import { z } from 'zod';
import { createContractSchema as create } from '../../../application/registry/contract-schemas';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { RegistryAddressText, RegistryName, RegistryNetwork } from '../addresses/schemas';
import { Abi, ContractSchema, ContractSchemaChangeRequest } from './schemas';

export const createContractSchema = operation({
  id: 'createContractSchema',
  method: 'post',
  path: '/registry/contract-schemas',
  tag: 'registry',
  summary: 'Add a contract schema to the registry',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:ContractSchemas:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({ name: RegistryName, network: RegistryNetwork, contract: RegistryAddressText, abi: Abi }),
  response: ContractSchema,
  accepted: ContractSchemaChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await create(services, authority, body)),
});
