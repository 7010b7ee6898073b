import type { NetworkName } from './networks';

/** A deleted entry matches no address. */
export const REGISTRY_STATUSES = ['Active', 'Deleted'] as const;
export type RegistryStatus = (typeof REGISTRY_STATUSES)[number];

/** `address` is canonical on its network. */
export type AddressContent = { readonly name: string; readonly network: NetworkName; readonly address: string };

/** An entry of an ABI, in the JSON form that Solidity compilers write. */
export type AbiEntry = { readonly type: string; readonly [member: string]: unknown };

/** `contract` is the canonical address. */
export type ContractSchemaContent = {
  readonly name: string;
  readonly network: NetworkName;
  readonly contract: string;
  readonly abi: readonly AbiEntry[];
};
