import type { Operation } from '../../http/operation';
import { createRegistryAddress } from './create-registry-address';
import { deleteRegistryAddress } from './delete-registry-address';
import { getRegistryAddress } from './get-registry-address';
import { listRegistryAddresses } from './list-registry-addresses';
import { updateRegistryAddress } from './update-registry-address';

export const registryAddressOperations: readonly Operation[] = [
  createRegistryAddress,
  listRegistryAddresses,
  getRegistryAddress,
  updateRegistryAddress,
  deleteRegistryAddress,
];
