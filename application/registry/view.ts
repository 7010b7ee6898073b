import type { ContractSchemaEntity } from '../../entities/registry/contract-schema.entity';
import type { RegistryAddressEntity } from '../../entities/registry/registry-address.entity';

export type RegistryAddressBody = Pick<RegistryAddressEntity, 'id' | 'name' | 'network' | 'address' | 'status'>;
type Dates = { readonly dateCreated: string; readonly dateUpdated: string };
export type RegistryAddressView = RegistryAddressBody & Dates & { readonly dateActive: string };

export type ContractSchemaBody = Pick<ContractSchemaEntity, 'id' | 'name' | 'network' | 'contract' | 'abi' | 'status'>;
export type ContractSchemaView = ContractSchemaBody & Dates;

/** The part of an entry that approvers see. */
export const registryAddressBody = ({ id, name, network, address, status }: RegistryAddressBody): RegistryAddressBody => ({
  id,
  name,
  network,
  address,
  status,
});

export const registryAddressView = (row: RegistryAddressEntity): RegistryAddressView => ({
  ...registryAddressBody(row),
  ...datesOf(row),
  dateActive: row.dateActive.toISOString(),
});

/** The part of a schema that approvers see. */
export const contractSchemaBody = ({ id, name, network, contract, abi, status }: ContractSchemaBody): ContractSchemaBody => ({
  id,
  name,
  network,
  contract,
  abi,
  status,
});

export const contractSchemaView = (row: ContractSchemaEntity): ContractSchemaView => ({
  ...contractSchemaBody(row),
  ...datesOf(row),
});

const datesOf = ({ dateCreated, dateUpdated }: Pick<RegistryAddressEntity, 'dateCreated' | 'dateUpdated'>): Dates => ({
  dateCreated: dateCreated.toISOString(),
  dateUpdated: dateUpdated.toISOString(),
});
