import { bareNetworks, ED25519 } from './record';

export const SOLANA = bareNetworks(
  { family: 'solana', key: ED25519, addressForm: 'base58 of the public key', symbol: 'SOL', decimals: 9, slip44: 501, tier: 1 },
  {
    Solana: { explorer: 'https://explorer.solana.com/tx/{txHash}' },
    SolanaDevnet: { isMainnet: false, explorer: 'https://explorer.solana.com/tx/{txHash}?cluster=devnet' },
  },
);
