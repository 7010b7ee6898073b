import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmGateway } from './evm/gateway';
import { observedRpc } from './evm/observed-rpc';
import { createRpc } from './evm/rpc';
import { enabledNetworks, type RpcUrls } from './networks';
import type { Gateway, OnRpcCall } from './types';

/** The gateway of each network that has a node; the lookup throws `NetworkNotEnabled` for the others. */
export function createGateways(rpcUrls: RpcUrls, onCall?: OnRpcCall): (network: NetworkName) => Gateway {
  const gateways = new Map<NetworkName, Gateway>(
    enabledNetworks(rpcUrls).map(({ name }) => {
      const rpc = observedRpc(name, createRpc(name, rpcUrls[name] ?? []), onCall);
      return [name, createEvmGateway(name, rpc)];
    }),
  );
  return (network) => {
    const gateway = gateways.get(network);
    if (!gateway) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return gateway;
  };
}
