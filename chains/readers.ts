import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmReader } from './evm/reader';
import { madeFor, type OfEachFamily } from './families';
import { type NetworkSettings, rpcOptionsOf } from './network-settings';
import { enabledNetworks, type RpcUrls } from './networks';
import { observedRpc } from './rpc/observed-rpc';
import type { Rpc } from './rpc/rpc';
import { createRpc } from './rpc/rpc';
import { createSolanaReader } from './solana/reader';
import type { ChainReader, OnRpcCall } from './types';
import { createUtxoCodec } from './utxo/codec';
import { createUtxoReader } from './utxo/reader';

/** To watch a new address, a node of the Bitcoin family rescans its whole chain. */
const SCAN_WITHIN_MS = 30 * 60_000;

const READERS: OfEachFamily<ChainReader, readonly [rpc: Rpc, patientRpc: () => Rpc]> = {
  evm: createEvmReader,
  solana: ({ name }, rpc) => createSolanaReader(name, rpc),
  utxo: (network, rpc, patientRpc) =>
    createUtxoReader({ network, codec: createUtxoCodec(network), rpc, patientRpc: patientRpc() }),
};

/** The returned function throws `NetworkNotEnabled` for a network without a node. */
export function createReaders(
  rpcUrls: RpcUrls,
  onCall?: OnRpcCall,
  settings: NetworkSettings = {},
): (network: NetworkName) => ChainReader {
  const readers = new Map<NetworkName, ChainReader>(
    enabledNetworks(rpcUrls).map((network) => {
      const { name } = network;
      const urls = rpcUrls[name] ?? [];
      const options = rpcOptionsOf(network, settings);
      const rpc = observedRpc(name, createRpc(name, urls, options), onCall);
      const patientRpc = () => observedRpc(name, createRpc(name, urls, { ...options, timeoutMs: SCAN_WITHIN_MS }), onCall);
      return [name, madeFor(READERS, network, rpc, patientRpc)];
    }),
  );
  return (network) => {
    const reader = readers.get(network);
    if (!reader) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return reader;
  };
}
