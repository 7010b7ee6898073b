import type { EvmNetwork } from '../types';

export const ethereum: EvmNetwork = {
  name: 'Ethereum',
  family: 'evm',
  isMainnet: true,
  chainId: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'ETH', decimals: 18 },
  confirmations: 12,
  feeCeilingUnits: 20_000_000_000_000_000n,
  signerFeeCeilingUnits: 100_000_000_000_000_000n,
  inFlightMax: 16,
  slip44: 60,
  explorerTxUrl: 'https://etherscan.io/tx/{txHash}',
  tokens: [{ contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6, verified: true }],
};
