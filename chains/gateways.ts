import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmGateway } from './evm/gateway';
import { enabledNetworks, type RpcUrls } from './networks';
import { observedRpc } from './rpc/observed-rpc';
import type { Rpc } from './rpc/rpc';
import { createRpc } from './rpc/rpc';
import type { Gateway, Network, OnRpcCall } from './types';

function createGateway(network: Network, rpc: Rpc): Gateway {
  switch (network.family) {
    case 'evm':
      return createEvmGateway(network.name, rpc);
    default:
      throw new AppError('NetworkNotEnabled', `Nothing can be sent to ${network.name}`);
  }
}

/** The gateway of each network that has a node; the lookup throws `NetworkNotEnabled` for the others. */
export function createGateways(rpcUrls: RpcUrls, onCall?: OnRpcCall): (network: NetworkName) => Gateway {
  const gateways = new Map<NetworkName, Gateway>(
    enabledNetworks(rpcUrls).map((network) => {
      const { name } = network;
      const rpc = observedRpc(name, createRpc(name, rpcUrls[name] ?? []), onCall);
      return [name, createGateway(network, rpc)];
    }),
  );
  return (network) => {
    const gateway = gateways.get(network);
    if (!gateway) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return gateway;
  };
}
