import { evmNetworks } from '../record';

export const ETHEREUM = evmNetworks({
  Ethereum: {
    chainId: 1,
    isMainnet: true,
    provesBlocks: true,
    symbol: 'ETH',
    milliCeiling: 20,
    explorer: 'https://etherscan.io',
    tokens: [{ contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6, verified: true }],
  },
  EthereumSepolia: {
    chainId: 11_155_111,
    provesBlocks: true,
    symbol: 'ETH',
    milliCeiling: 50,
    signerFeeCeilingUnits: 200_000_000_000_000_000n,
    explorer: 'https://sepolia.etherscan.io',
    tokens: [{ contract: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', symbol: 'USDC', decimals: 6, verified: true }],
  },
  EthereumHoodi: {
    chainId: 560_048,
    provesBlocks: true,
    symbol: 'ETH',
    milliCeiling: 50,
    explorer: 'https://hoodi.etherscan.io',
  },
  EthereumHolesky: {
    chainId: 17_000,
    symbol: 'ETH',
    milliCeiling: 50,
    explorer: 'https://holesky.etherscan.io',
    standing: 'Retired',
    note: 'ended in 2025 and was replaced by Hoodi',
  },
  EthereumGoerli: {
    chainId: 5,
    symbol: 'ETH',
    milliCeiling: 50,
    explorer: 'https://goerli.etherscan.io',
    standing: 'Retired',
    note: 'ended in 2024 and was replaced by Sepolia',
  },
});
