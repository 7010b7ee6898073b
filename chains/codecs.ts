import type { NetworkName } from '../domain/networks';
import { createEvmCodec } from './evm/codec';
import { chainIdIn, completeTypedData, isEvmTransaction, signedAuthorization } from './evm/payloads';
import { NETWORKS } from './networks';
import type { Codec } from './types';

const CODECS: Readonly<Record<NetworkName, Codec>> = {
  Ethereum: createEvmCodec(NETWORKS.Ethereum),
  EthereumSepolia: createEvmCodec(NETWORKS.EthereumSepolia),
};

/** The pure half of a network; every network with a record has one. */
export function codecOf(network: NetworkName): Codec {
  return CODECS[network];
}

/** What the EVM networks sign besides transactions, alike on all of them. */
export const evmPayloads = { chainIdIn, completeTypedData, isEvmTransaction, signedAuthorization };
