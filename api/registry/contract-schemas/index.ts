import type { Operation } from '../../http/operation';
import { createContractSchema } from './create-contract-schema';
import { deleteContractSchema } from './delete-contract-schema';
import { getContractSchema } from './get-contract-schema';
import { listContractSchemas } from './list-contract-schemas';

export const contractSchemaOperations: readonly Operation[] = [
  createContractSchema,
  listContractSchemas,
  getContractSchema,
  deleteContractSchema,
];
