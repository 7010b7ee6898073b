import type { SolanaNetwork } from '../types';

/** CAIP-2 names Solana by the first 32 characters of the genesis hash. Circle and Tether publish the addresses of the mints. */
export const solana: SolanaNetwork = {
  name: 'Solana',
  family: 'solana',
  isMainnet: true,
  standing: 'Live',
  tier: 1,
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  curve: 'ed25519',
  scheme: 'EdDSA',
  nativeAsset: { symbol: 'SOL', decimals: 9 },
  // The service reads only `finalized` blocks, which are never replaced.
  confirmations: 1,
  feeCeilingUnits: 20_000_000n,
  signerFeeCeilingUnits: 100_000_000n,
  inFlightMax: 16,
  slip44: 501,
  explorerTxUrl: 'https://explorer.solana.com/tx/{txHash}',
  tokens: [
    { contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', decimals: 6, verified: true },
    { contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', symbol: 'USDT', decimals: 6, verified: true },
  ],
};
