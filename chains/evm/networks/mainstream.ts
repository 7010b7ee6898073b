import { evmNetworks } from '../record';

const MAIN = { isMainnet: true, tier: 1 } as const;
/** This contract forwards the coins with a call, and also logs the payment as a transfer (maticnetwork/contracts, MRC20.sol). */
const POLYGON_SEES = {
  native: 'Calls',
  nativeToken: { contract: '0x0000000000000000000000000000000000001010', logs: 'Repeat' },
} as const;
const RAYLS_SOURCE = 'chain id from the documents and tools of its makers (github.com/raylsnetwork)';

/** Layer-one networks that work as Ethereum does. */
export const OTHERS = evmNetworks({
  ArcTestnet: {
    chainId: 5_042_002,
    symbol: 'USDC',
    milliCeiling: 20_000,
    explorer: 'https://testnet.arcscan.app',
    // The chain logs each payment with 18 decimals (EIP-7708). The USDC contract logs each payment that goes through it a second
    // time, with 6 decimals (circlefin/arc-node, crates/precompiles/src/native_coin_authority.rs). The second log is ignored,
    // because a plain payment has only the first log.
    sees: { native: 'Logs', nativeToken: { contract: '0x3600000000000000000000000000000000000000', logs: 'Repeat' } },
  },
  Areum: { ...MAIN, chainId: 463, symbol: 'AREA', milliCeiling: 20_000, explorer: 'https://explorer.areum.network' },
  AvalancheC: {
    ...MAIN,
    chainId: 43_114,
    symbol: 'AVAX',
    slip44: 9005,
    milliCeiling: 500,
    explorer: 'https://snowtrace.io',
  },
  AvalancheCFuji: { chainId: 43_113, symbol: 'AVAX', milliCeiling: 2000, explorer: 'https://testnet.snowtrace.io' },
  Berachain: { ...MAIN, chainId: 80_094, symbol: 'BERA', milliCeiling: 2000, explorer: 'https://berascan.com' },
  BerachainBepolia: { chainId: 80_069, symbol: 'BERA', milliCeiling: 5000, explorer: 'https://testnet.berascan.com' },
  BerachainBArtio: {
    chainId: 80_084,
    symbol: 'BERA',
    milliCeiling: 5000,
    explorer: 'https://bartio.beratrail.io',
    standing: 'Retired',
    note: 'ended in 2025 and was replaced by Bepolia',
  },
  Bsc: { ...MAIN, chainId: 56, symbol: 'BNB', milliCeiling: 20, confirmations: 15, explorer: 'https://bscscan.com' },
  BscTestnet: { chainId: 97, symbol: 'tBNB', milliCeiling: 100, explorer: 'https://testnet.bscscan.com' },
  FantomOpera: {
    ...MAIN,
    chainId: 250,
    symbol: 'FTM',
    milliCeiling: 20_000,
    explorer: 'https://ftmscan.com',
    standing: 'Deprecated',
    note: 'Sonic took its place in 2024',
  },
  FantomTestnet: {
    chainId: 4002,
    symbol: 'FTM',
    milliCeiling: 50_000,
    explorer: 'https://testnet.ftmscan.com',
    standing: 'Deprecated',
    note: 'Sonic took its place in 2024',
  },
  FlareC: {
    ...MAIN,
    chainId: 14,
    symbol: 'FLR',
    slip44: 554,
    milliCeiling: 200_000,
    explorer: 'https://flare-explorer.flare.network',
  },
  FlareCCoston2: { chainId: 114, symbol: 'C2FLR', milliCeiling: 500_000, explorer: 'https://coston2-explorer.flare.network' },
  FlowEvm: { ...MAIN, chainId: 747, symbol: 'FLOW', slip44: 539, milliCeiling: 10_000, explorer: 'https://evm.flowscan.io' },
  FlowEvmTestnet: { chainId: 545, symbol: 'FLOW', milliCeiling: 50_000, explorer: 'https://evm-testnet.flowscan.io' },
  Plasma: { ...MAIN, chainId: 9745, symbol: 'XPL', milliCeiling: 10_000, explorer: 'https://plasmascan.to' },
  PlasmaTestnet: { chainId: 9746, symbol: 'XPL', milliCeiling: 50_000, explorer: 'https://testnet.plasmascan.to' },
  Polygon: {
    ...MAIN,
    sees: POLYGON_SEES,
    chainId: 137,
    symbol: 'POL',
    slip44: 966,
    milliCeiling: 20_000,
    // Before the network got fast finality, a reorganisation could replace more than a hundred blocks.
    confirmations: 128,
    explorer: 'https://polygonscan.com',
  },
  PolygonAmoy: {
    sees: POLYGON_SEES,
    chainId: 80_002,
    symbol: 'POL',
    milliCeiling: 50_000,
    confirmations: 16,
    explorer: 'https://amoy.polygonscan.com',
  },
  PolygonMumbai: {
    sees: POLYGON_SEES,
    chainId: 80_001,
    symbol: 'POL',
    milliCeiling: 50_000,
    explorer: 'https://mumbai.polygonscan.com',
    standing: 'Retired',
    note: 'ended in 2024 and was replaced by Amoy',
  },
  Rayls: {
    ...MAIN,
    chainId: 72_957,
    symbol: 'USDr',
    milliCeiling: 20_000,
    explorer: 'https://explorer.rayls.com',
    note: RAYLS_SOURCE,
  },
  RaylsTestnet: {
    chainId: 7_295_799,
    symbol: 'USDr',
    milliCeiling: 20_000,
    explorer: 'https://testnet-explorer.rayls.com',
    note: RAYLS_SOURCE,
  },
  Sonic: { ...MAIN, chainId: 146, symbol: 'S', slip44: 10_007, milliCeiling: 20_000, explorer: 'https://sonicscan.org' },
  SonicTestnet: {
    chainId: 14_601,
    symbol: 'S',
    milliCeiling: 50_000,
    explorer: 'https://testnet.sonicscan.org',
    note: 'the test network since late 2025; nodes of the earlier test networks 57054 and 64165 are refused',
  },
});
