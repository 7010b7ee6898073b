import type { NetworkName } from '../domain/networks';
import { inSlot, type Slot } from '../domain/slots';
import { createEvmScanSource } from './evm/scan/scan-source';
import { madeFor, type OfEachFamily } from './families';
import { type NetworkSettings, rpcOptionsOf } from './network-settings';
import { enabledNetworks, networkOf, type RpcUrls, whyUnread } from './networks';
import { observedRpc } from './rpc/observed-rpc';
import { createRpc, type Rpc } from './rpc/rpc';
import { createSolanaScanSource } from './solana/scan/scan-source';
import type { Network, OnRpcCall, ScanSource } from './types';
import { createUtxoScanSource } from './utxo/scan/scan-source';

/** A full block with its traces is larger, and takes a node longer, than any other reply. */
const REPLY_BYTES_MAX = 128 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

type Maker = Slot<(rpc: Rpc, nodes: readonly Rpc[]) => ScanSource>;

const SOURCES: OfEachFamily<Maker> = {
  evm: (network) => (rpc, nodes) => createEvmScanSource(network, rpc, nodes),
  solana:
    ({ name }) =>
    (rpc, nodes) =>
      createSolanaScanSource(name, rpc, nodes),
  utxo: (network) => (rpc, nodes) => createUtxoScanSource(network, rpc, nodes),
};

/** The networks of this installation whose blocks are read. Must be called after `applySettings`. */
export const scannedNetworks = (rpcUrls: RpcUrls): readonly NetworkName[] =>
  enabledNetworks(rpcUrls)
    .filter((network) => whyUnread(network) === undefined)
    .map(({ name }) => name);

/** Call the returned function only for networks whose blocks are read. */
export function createScanSources(
  rpcUrls: RpcUrls,
  onCall?: OnRpcCall,
  settings: NetworkSettings = {},
): (network: NetworkName) => ScanSource {
  const sources = new Map<NetworkName, ScanSource>();
  const open = (network: Network): ScanSource => {
    const urls = rpcUrls[network.name] ?? [];
    const { readQuorum: _, ...options } = rpcOptionsOf(network, settings);
    const rpcOver = (some: readonly string[]) =>
      observedRpc(
        network.name,
        createRpc(network.name, some, { ...options, replyBytesMax: REPLY_BYTES_MAX, timeoutMs: TIMEOUT_MS }),
        onCall,
      );
    return inSlot(madeFor(SOURCES, network))(
      rpcOver(urls),
      urls.map((url) => rpcOver([url])),
    );
  };
  return (name) => {
    const source = sources.get(name) ?? open(networkOf(name));
    sources.set(name, source);
    return source;
  };
}
