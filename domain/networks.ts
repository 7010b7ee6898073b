import type { KeyForm } from './keys';

/** The code of a family is in the folder `chains/<family>/`. */
export const FAMILIES = ['evm', 'utxo', 'solana'] as const;
export type Family = (typeof FAMILIES)[number];

/** Networks with a record (`chains/<family>/networks/`) and with code, by family. */
export const NETWORKS_OF = {
  evm: [
    'Ethereum',
    'EthereumSepolia',
    'EthereumHoodi',
    'EthereumHolesky',
    'EthereumGoerli',
    'ArbitrumOne',
    'ArbitrumSepolia',
    'ArbitrumGoerli',
    'Optimism',
    'OptimismSepolia',
    'OptimismGoerli',
    'Base',
    'BaseSepolia',
    'BaseGoerli',
    'Bob',
    'BobSepolia',
    'Codex',
    'CodexSepolia',
    'Ink',
    'InkSepolia',
    'Celo',
    'CeloAlfajores',
    'EthereumClassic',
    'EthereumClassicMordor',
    'Xdc',
    'XdcApothem',
    'SeiPacific1',
    'SeiAtlantic2',
    'Tempo',
    'TempoModerato',
    'Adi',
    'AdiTestnetAb',
    'ArcTestnet',
    'Areum',
    'AvalancheC',
    'AvalancheCFuji',
    'Berachain',
    'BerachainBepolia',
    'BerachainBArtio',
    'Bsc',
    'BscTestnet',
    'FantomOpera',
    'FantomTestnet',
    'FlareC',
    'FlareCCoston2',
    'FlowEvm',
    'FlowEvmTestnet',
    'Plasma',
    'PlasmaTestnet',
    'Plume',
    'PlumeSepolia',
    'Polygon',
    'PolygonAmoy',
    'PolygonMumbai',
    'Race',
    'RaceSepolia',
    'Rayls',
    'RaylsTestnet',
    'Sonic',
    'SonicTestnet',
    'XLayer',
    'XLayerSepolia',
  ],
  utxo: [
    'Bitcoin',
    'BitcoinSignet',
    'BitcoinTestnet3',
    'BitcoinTestnet4',
    'BitcoinCash',
    'BitcoinCashTestnet',
    'Dogecoin',
    'DogecoinTestnet',
    'Litecoin',
    'LitecoinTestnet',
  ],
  solana: ['Solana', 'SolanaDevnet'],
} as const satisfies Record<Family, readonly string[]>;

export type NetworkNameOf<F extends Family> = (typeof NETWORKS_OF)[F][number];
export type NetworkName = NetworkNameOf<Family>;

export const NETWORK_NAMES: readonly NetworkName[] = FAMILIES.flatMap((family): readonly NetworkName[] => NETWORKS_OF[family]);

/**
 * Networks that this service cannot use yet: their family has no code, or no source identifies their chain. Their records are
 * in `chains/catalogue/`.
 */
export const BARE_NETWORK_NAMES = [
  'AdiTestnet',
  'BesuTestnet',
  'BesuTestnet2',
  'BesuTestnet3',
  'BesuTestnet4',
  'BrokerChain',
  'BrokerChainSepolia',
  'IconTestnet',
  'TempoAndantino',
  'Tsc',
  'TscTestnet1',
  'Algorand',
  'AlgorandTestnet',
  'Aptos',
  'AptosTestnet',
  'BabylonGenesis',
  'BabylonTestnet5',
  'Canton',
  'CantonDevnet',
  'CantonTestnet',
  'Cardano',
  'CardanoPreprod',
  'Concordium',
  'ConcordiumTestnet',
  'CosmosHub4',
  'CosmosIcsTestnet',
  'Hedera',
  'HederaTestnet',
  'InternetComputer',
  'Ion',
  'IonTestnet',
  'Iota',
  'IotaTestnet',
  'IotaZodianet',
  'Kaspa',
  'KaspaTestnet11',
  'Kusama',
  'KusamaAssetHub',
  'Movement',
  'MovementTestnet',
  'Near',
  'NearTestnet',
  'Origyn',
  'Paseo',
  'PaseoAssetHub',
  'Polkadot',
  'PolkadotAssetHub',
  'Polymesh',
  'PolymeshTestnet',
  'Starknet',
  'StarknetSepolia',
  'Stellar',
  'StellarTestnet',
  'Sui',
  'SuiTestnet',
  'Tezos',
  'TezosGhostnet',
  'TezosShadownet',
  'Ton',
  'TonTestnet',
  'Tron',
  'TronNile',
  'Westend',
  'WestendAssetHub',
  'XrpLedger',
  'XrpLedgerTestnet',
] as const;

export type BareNetworkName = (typeof BARE_NETWORK_NAMES)[number];

export const CHAIN_NETWORK_NAMES = [...NETWORK_NAMES, ...BARE_NETWORK_NAMES] as const;

/**
 * On tier 1, blocks report every transfer, including transfers of tokens. `capability-tiers.ts` lists the features of each tier.
 */
export type Tier = 1 | 2 | 3;
/** `Deprecated`: the network runs and has a successor. `Unclear`: no source identifies the chain for certain. */
export const NETWORK_STATUSES = ['Live', 'Deprecated', 'Retired', 'Unclear'] as const;
export type NetworkStatus = (typeof NETWORK_STATUSES)[number];

/** Networks in the published interface that have no chain. Wallets on these networks have no address and can only sign. */
export const KEY_NETWORKS = {
  KeyECDSA: { scheme: 'ECDSA', curve: 'secp256k1' },
  KeyEdDSA: { scheme: 'EdDSA', curve: 'ed25519' },
  KeyECDSAStark: { scheme: 'ECDSA', curve: 'stark' },
} as const satisfies Record<string, KeyForm>;

export type KeyNetworkName = keyof typeof KEY_NETWORKS;
/** Every network name of the published interface, including the networks that this service does not support. */
export const INTERFACE_NETWORK_NAMES = [...CHAIN_NETWORK_NAMES, 'KeyECDSA', 'KeyEdDSA', 'KeyECDSAStark'] as const;
export type WalletNetworkName = NetworkName | KeyNetworkName;

export const isKeyNetwork = (name: string): name is KeyNetworkName => Object.hasOwn(KEY_NETWORKS, name);
