import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmReader } from './evm/reader';
import { createRpc } from './evm/rpc';
import { enabledNetworks, type RpcUrls } from './networks';
import type { Reader } from './types';

/** The reader of each network that has a node; the lookup throws `NetworkNotEnabled` for the others. */
export function createReaders(rpcUrls: RpcUrls): (network: NetworkName) => Reader {
  const readers = new Map<NetworkName, Reader>(
    enabledNetworks(rpcUrls).map(({ name }) => [name, createEvmReader(name, createRpc(name, rpcUrls[name] ?? []))]),
  );
  return (network) => {
    const reader = readers.get(network);
    if (!reader) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return reader;
  };
}
