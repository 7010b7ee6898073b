import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmReader } from './evm/reader';
import { enabledNetworks, type RpcUrls } from './networks';
import { observedRpc } from './rpc/observed-rpc';
import type { Rpc } from './rpc/rpc';
import { createRpc } from './rpc/rpc';
import { createSolanaReader } from './solana/reader';
import type { Network, OnRpcCall, Reader } from './types';

function createReader(network: Network, rpc: Rpc): Reader {
  switch (network.family) {
    case 'evm':
      return createEvmReader(network, rpc);
    case 'solana':
      return createSolanaReader(network.name, rpc);
    default:
      throw new AppError('NetworkNotEnabled', `${network.name} cannot be read`);
  }
}

/** The reader of each network that has a node; the lookup throws `NetworkNotEnabled` for the others. */
export function createReaders(rpcUrls: RpcUrls, onCall?: OnRpcCall): (network: NetworkName) => Reader {
  const readers = new Map<NetworkName, Reader>(
    enabledNetworks(rpcUrls).map((network) => {
      const { name } = network;
      const rpc = observedRpc(name, createRpc(name, rpcUrls[name] ?? []), onCall);
      return [name, createReader(network, rpc)];
    }),
  );
  return (network) => {
    const reader = readers.get(network);
    if (!reader) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return reader;
  };
}
