import type { CHAIN_NETWORK_NAMES } from './networks';

/** The networks on which the published interface offers address watches. This service supports only some of these networks. */
export const ADDRESS_WATCH_NETWORKS = [
  ...(['ArbitrumOne', 'ArbitrumSepolia', 'ArcTestnet', 'Areum', 'AvalancheC', 'AvalancheCFuji', 'Base', 'BaseSepolia'] as const),
  ...(['Berachain', 'BerachainBepolia', 'Bob', 'BobSepolia', 'Bsc', 'BscTestnet', 'Celo', 'CeloAlfajores', 'Codex'] as const),
  ...(['CodexSepolia', 'Ethereum', 'EthereumClassic', 'EthereumClassicMordor', 'EthereumSepolia', 'EthereumHoodi'] as const),
  ...(['FlareC', 'FlareCCoston2', 'FlowEvm', 'FlowEvmTestnet', 'Ink', 'InkSepolia', 'Optimism', 'OptimismSepolia'] as const),
  ...(['Plasma', 'PlasmaTestnet', 'Plume', 'PlumeSepolia', 'Polygon', 'PolygonAmoy', 'Rayls', 'RaylsTestnet'] as const),
  ...(['BrokerChain', 'BrokerChainSepolia', 'SeiAtlantic2', 'SeiPacific1', 'Solana', 'SolanaDevnet', 'Sonic'] as const),
  ...(['SonicTestnet', 'Tempo', 'TempoModerato', 'Tsc', 'TscTestnet1', 'Xdc', 'XdcApothem', 'XLayer', 'XLayerSepolia'] as const),
] as const satisfies readonly (typeof CHAIN_NETWORK_NAMES)[number][];

export type AddressWatchNetwork = (typeof ADDRESS_WATCH_NETWORKS)[number];

/** An archived watch becomes active again when the address is watched again. */
export const ADDRESS_WATCH_STATUSES = ['Active', 'Archived'] as const;
export type AddressWatchStatus = (typeof ADDRESS_WATCH_STATUSES)[number];
