import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import { createEvmGateway } from './evm/gateway';
import { madeFor, type OfEachFamily } from './families';
import { type NetworkSettings, rpcOptionsOf } from './network-settings';
import { enabledNetworks, type RpcUrls } from './networks';
import { observedRpc } from './rpc/observed-rpc';
import type { Rpc } from './rpc/rpc';
import { createRpc } from './rpc/rpc';
import { createSolanaGateway } from './solana/gateway';
import type { Gateway, OnRpcCall } from './types';
import { createUtxoGateway } from './utxo/gateway';

const GATEWAYS: OfEachFamily<Gateway, readonly [rpc: Rpc, witnesses: readonly Rpc[]]> = {
  evm: createEvmGateway,
  solana: ({ name }, rpc, witnesses) => createSolanaGateway(name, rpc, witnesses),
  utxo: createUtxoGateway,
};

/** The returned function throws `NetworkNotEnabled` for a network without a node. */
export function createGateways(
  rpcUrls: RpcUrls,
  onCall?: OnRpcCall,
  settings: NetworkSettings = {},
): (network: NetworkName) => Gateway {
  const gateways = new Map<NetworkName, Gateway>(
    enabledNetworks(rpcUrls).map((network) => {
      const { name } = network;
      const options = rpcOptionsOf(network, settings);
      const rpc = observedRpc(name, createRpc(name, rpcUrls[name] ?? [], options), onCall);
      const witnesses = (rpcUrls[name] ?? []).map((url) => createRpc(name, [url]));
      return [name, madeFor(GATEWAYS, network, rpc, witnesses)];
    }),
  );
  return (network) => {
    const gateway = gateways.get(network);
    if (!gateway) throw new AppError('NetworkNotEnabled', `${network} is not enabled on this service`, { network });
    return gateway;
  };
}
