import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { observedRpc } from './evm/observed-rpc';
import { createEvmReader } from './evm/reader';
import { createRpc } from './evm/rpc';
import { enabledNetworks, type RpcUrls } from './networks';
import type { OnRpcCall, Reader } from './types';

/** The reader of each network that has a node; the lookup throws `NetworkNotEnabled` for the others. */
export function createReaders(rpcUrls: RpcUrls, onCall?: OnRpcCall): (network: NetworkName) => Reader {
  const readers = new Map<NetworkName, Reader>(
    enabledNetworks(rpcUrls).map(({ name }) => {
      const rpc = observedRpc(name, createRpc(name, rpcUrls[name] ?? []), onCall);
      return [name, createEvmReader(name, rpc)];
    }),
  );
  return (network) => {
    const reader = readers.get(network);
    if (!reader) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return reader;
  };
}
