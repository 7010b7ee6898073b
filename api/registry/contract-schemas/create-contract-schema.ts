import { z } from 'zod';
import { createContractSchema as create } from '../../../application/registry/contract-schemas';
import { aboutPolicies, answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { RegistryAddressText, RegistryName, RegistryNetwork } from '../addresses/schemas';
import { Abi, ContractSchema, ContractSchemaChangeRequest } from './schemas';

export const createContractSchema = operation({
  id: 'createContractSchema',
  method: 'post',
  path: '/registry/contract-schemas',
  tag: 'registry',
  summary: 'Add a contract schema to the registry',
  description:
    'If a schema contains the function `confidentialBalanceOf`, `getWalletAssets` also looks for that token, whose amounts are ' +
    'hidden (ERC-7984). The contract is stored in the canonical spelling of its network. The call returns 400 `InvalidAddress` ' +
    'if the address is invalid, and 409 `Conflict` if an active schema already describes the contract. ' +
    aboutPolicies('Registry:ContractSchemas:Modify'),
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Registry:ContractSchemas:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    name: RegistryName,
    network: RegistryNetwork,
    contract: RegistryAddressText.describe('Address of the contract, in any spelling that the network accepts'),
    abi: Abi,
  }),
  response: ContractSchema,
  accepted: ContractSchemaChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await create(services, authority, body)),
});
