import type { FamilyBodies } from '../family-bodies';
import { SOLANA_TRANSACTIONS, SolanaTransactionBase64 } from './transactions';
import { SOLANA_TRANSFERS } from './transfers';

export const solanaBodies = {
  transfers: SOLANA_TRANSFERS,
  transactions: SOLANA_TRANSACTIONS,
  rawTransactions: [SolanaTransactionBase64],
  signatures: [],
  keySignatures: [],
  signableTransactions: [],
} as const satisfies FamilyBodies;
