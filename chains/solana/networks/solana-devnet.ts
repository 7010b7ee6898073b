import type { SolanaNetwork } from '../types';

/** CAIP-2 names the network by the first 32 characters of the genesis hash. Circle publishes the address of the mint. */
export const solanaDevnet: SolanaNetwork = {
  name: 'SolanaDevnet',
  family: 'solana',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  curve: 'ed25519',
  scheme: 'EdDSA',
  nativeAsset: { symbol: 'SOL', decimals: 9 },
  // The service reads only `finalized` blocks, which are never replaced.
  confirmations: 1,
  feeCeilingUnits: 20_000_000n,
  signerFeeCeilingUnits: 100_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://explorer.solana.com/tx/{txHash}?cluster=devnet',
  tokens: [{ contract: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', symbol: 'USDC', decimals: 6, verified: true }],
};
