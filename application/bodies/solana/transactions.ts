import { z } from 'zod';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../../domain/nonce-accounts';
import { TransactionExternalId } from '../transaction-members';

/** The size of a whole Solana packet (1,232 bytes) in base64. */
const BASE64_CHARS_MAX = 1_644;
export const SolanaTransactionBase64 = z
  .string()
  .min(4)
  .max(BASE64_CHARS_MAX)
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');

export const SOLANA_TRANSACTIONS = [
  z
    .strictObject({
      kind: z.literal('CreateSolanaNonceAccounts'),
      nonceAuthority: z
        .string()
        .min(32)
        .max(44)
        .optional()
        .describe('The wallet that will use the accounts: this wallet (the default), or one whose key lies in an offline store'),
      count: z
        .int()
        .min(1)
        .max(NONCE_ACCOUNTS_AT_ONCE_MAX)
        .optional()
        .describe('Accounts to create; 1 by default, and at most 16 in total for a wallet'),
      priority: z.enum(['Slow', 'Standard', 'Fast']).optional().describe('Sets the fee; `Standard` by default'),
      externalId: TransactionExternalId,
    })
    .meta({ id: 'BroadcastCreateSolanaNonceAccounts' }),
] as const;
