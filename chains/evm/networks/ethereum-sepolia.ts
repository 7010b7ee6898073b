import type { EvmNetwork } from '../types';

export const ethereumSepolia: EvmNetwork = {
  name: 'EthereumSepolia',
  family: 'evm',
  isMainnet: false,
  chainId: 11_155_111,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'ETH', decimals: 18 },
  confirmations: 3,
  feeCeilingUnits: 50_000_000_000_000_000n,
  signerFeeCeilingUnits: 200_000_000_000_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://sepolia.etherscan.io/tx/{txHash}',
  tokens: [{ contract: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', symbol: 'USDC', decimals: 6, verified: true }],
};
