import { evmNetworks } from '../record';

/**
 * Only the sequencer can revert a block of a rollup before Ethereum has the block's batch. The sequencer reverts a block only
 * within seconds, and the confirmations of these networks take longer.
 */
const L2 = { symbol: 'ETH', confirmations: 30, milliCeiling: 5, isMainnet: true, tier: 1 } as const;
const L2_TEST = { symbol: 'ETH', confirmations: 5, milliCeiling: 20, tier: 1 } as const;
const GOERLI = { ...L2_TEST, standing: 'Retired', note: 'ended in 2024 together with its parent test network' } as const;

/** Rollups that charge only for gas. */
export const ROLLUPS = evmNetworks({
  ArbitrumOne: { ...L2, chainId: 42_161, confirmations: 120, explorer: 'https://arbiscan.io' },
  ArbitrumSepolia: { ...L2_TEST, chainId: 421_614, confirmations: 20, explorer: 'https://sepolia.arbiscan.io' },
  ArbitrumGoerli: { ...GOERLI, chainId: 421_613, explorer: 'https://goerli.arbiscan.io' },
  Plume: {
    ...L2,
    chainId: 98_866,
    symbol: 'PLUME',
    milliCeiling: 20_000,
    explorer: 'https://explorer.plume.org',
    note: 'its chain id was 98865 before the chain was replaced',
  },
  PlumeSepolia: {
    ...L2_TEST,
    chainId: 98_867,
    symbol: 'PLUME',
    milliCeiling: 50_000,
    explorer: 'https://testnet-explorer.plume.org',
  },
  XLayer: { ...L2, chainId: 196, symbol: 'OKB', milliCeiling: 100, explorer: 'https://www.oklink.com/xlayer' },
  XLayerSepolia: {
    ...L2_TEST,
    chainId: 1952,
    symbol: 'OKB',
    milliCeiling: 500,
    explorer: 'https://www.oklink.com/xlayer-test',
    note: 'the test network on Sepolia; its predecessor had chain id 195',
  },
  Adi: { ...L2, chainId: 36_900, symbol: 'ADI', milliCeiling: 5000, explorer: 'https://explorer.adifoundation.ai' },
  AdiTestnetAb: {
    ...L2_TEST,
    chainId: 99_999,
    symbol: 'ADI',
    milliCeiling: 10_000,
    explorer: 'https://explorer.ab.testnet.adifoundation.ai',
    note: 'chain id as node providers publish it (alchemy.com/rpc/adi-testnet, goldrush.dev)',
  },
});

const OP_STACK = { variant: 'opStack' } as const;
const OP = { ...L2, ...OP_STACK } as const;
const OP_TEST = { ...L2_TEST, ...OP_STACK } as const;

const RACE_SOURCE = 'chain id from the superchain registry of the OP stack';

/** Rollups of the OP stack also charge a fee for the data on Ethereum. */
export const OP_ROLLUPS = evmNetworks({
  Optimism: { ...OP, chainId: 10, explorer: 'https://optimistic.etherscan.io' },
  OptimismSepolia: { ...OP_TEST, chainId: 11_155_420, explorer: 'https://optimism-sepolia.blockscout.com' },
  OptimismGoerli: { ...GOERLI, ...OP_STACK, chainId: 420, explorer: 'https://goerli-optimism.etherscan.io' },
  Base: { ...OP, chainId: 8453, explorer: 'https://basescan.org' },
  BaseSepolia: { ...OP_TEST, chainId: 84_532, explorer: 'https://sepolia.basescan.org' },
  BaseGoerli: { ...GOERLI, ...OP_STACK, chainId: 84_531, explorer: 'https://goerli.basescan.org' },
  Bob: { ...OP, chainId: 60_808, explorer: 'https://explorer.gobob.xyz' },
  BobSepolia: { ...OP_TEST, chainId: 808_813, explorer: 'https://bob-sepolia.explorer.gobob.xyz' },
  Codex: { ...OP, chainId: 81_224, explorer: 'https://explorer.codex.xyz' },
  CodexSepolia: { ...OP_TEST, chainId: 812_242, explorer: 'https://explorer.codex-stg.xyz' },
  Ink: { ...OP, chainId: 57_073, explorer: 'https://explorer.inkonchain.com' },
  InkSepolia: { ...OP_TEST, chainId: 763_373, explorer: 'https://explorer-sepolia.inkonchain.com' },
  Race: { ...OP, chainId: 6805, explorer: 'https://racescan.io', note: RACE_SOURCE },
  RaceSepolia: { ...OP_TEST, chainId: 6806, explorer: 'https://testnet.racescan.io', note: RACE_SOURCE },
});
