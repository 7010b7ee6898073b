import type { KeyForm } from './keys';

/** Families of chains; one with code here has a folder of its name below `chains/`. */
export const FAMILIES = ['evm', 'utxo', 'solana'] as const;
export type Family = (typeof FAMILIES)[number];

/** Networks with a record and the code of their family; the record itself is in `chains/<family>/networks/`. */
export const NETWORK_NAMES = ['Ethereum', 'EthereumSepolia'] as const;

export type NetworkName = (typeof NETWORK_NAMES)[number];

/** Networks of the contract behind which there is no chain: their wallets have no address and only sign. Each takes one form of key. */
export const KEY_NETWORKS = {
  KeyECDSA: { scheme: 'ECDSA', curve: 'secp256k1' },
  KeyEdDSA: { scheme: 'EdDSA', curve: 'ed25519' },
  KeyECDSAStark: { scheme: 'ECDSA', curve: 'stark' },
} as const satisfies Record<string, KeyForm>;

export type KeyNetworkName = keyof typeof KEY_NETWORKS;
/** Where a wallet can be. */
export type WalletNetworkName = NetworkName | KeyNetworkName;

export const isKeyNetwork = (name: string): name is KeyNetworkName => Object.hasOwn(KEY_NETWORKS, name);
