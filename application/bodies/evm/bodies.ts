import type { FamilyBodies } from '../family-bodies';
import { EVM_KEY_SIGNATURES, EVM_SIGNATURES, SignableEvmTransaction } from './signatures';
import { EvmTransactionInput } from './transaction-members';
import { EVM_TRANSACTIONS } from './transactions';
import { EVM_TRANSFERS } from './transfers';

export const evmBodies = {
  transfers: EVM_TRANSFERS,
  transactions: EVM_TRANSACTIONS,
  rawTransactions: [EvmTransactionInput],
  signatures: EVM_SIGNATURES,
  keySignatures: EVM_KEY_SIGNATURES,
  signableTransactions: [SignableEvmTransaction],
} as const satisfies FamilyBodies;
