import type { NetworkName } from './networks';

/** A deleted entry remains as a record but matches no address. */
export const REGISTRY_STATUSES = ['Active', 'Deleted'] as const;
export type RegistryStatus = (typeof REGISTRY_STATUSES)[number];

/** An address that the organisation knows by name; `address` is canonical on its network. */
export type AddressContent = { readonly name: string; readonly network: NetworkName; readonly address: string };

/** One entry of a contract's interface, in the JSON form that Solidity compilers write. */
export type AbiEntry = { readonly type: string; readonly [member: string]: unknown };

/** A contract's interface; `contract` is its canonical address. */
export type ContractSchemaContent = {
  readonly name: string;
  readonly network: NetworkName;
  readonly contract: string;
  readonly abi: readonly AbiEntry[];
};
