import { z } from 'zod';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../domain/nonce-accounts';
import { FunctionCall } from './function-calls';
import { EVM_MEMBERS, EVM_PRICES, EvmTransactionInput, PsbtHex, UserOperations } from './transaction-members';

/** Of a whole packet of Solana. */
const BASE64_CHARS_MAX = 1_644;
const Base64 = z
  .string()
  .min(4)
  .max(BASE64_CHARS_MAX)
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');

const externalId = z.string().min(1).max(50).optional();

export const TransactionBody = z
  .discriminatedUnion('kind', [
    z
      .strictObject({ kind: z.literal('Transaction'), transaction: z.union([EvmTransactionInput, Base64]), externalId })
      .meta({ id: 'BroadcastTransaction' }),
    z.strictObject({ kind: z.literal('Eip1559'), ...EVM_MEMBERS, ...EVM_PRICES, externalId }).meta({ id: 'BroadcastEip1559' }),
    z.strictObject({ kind: z.literal('Evm'), ...EVM_MEMBERS, externalId }).meta({ id: 'BroadcastEvm' }),
    z.strictObject({ kind: z.literal('FunctionCall'), call: FunctionCall, externalId }).meta({ id: 'BroadcastFunctionCall' }),
    z
      .strictObject({
        kind: z.literal('UserOperations'),
        userOperations: UserOperations,
        feeSponsorId: z.string().min(1).max(50),
        externalId,
      })
      .meta({ id: 'BroadcastUserOperations' }),
    z.strictObject({ kind: z.literal('Psbt'), psbt: PsbtHex, externalId }).meta({ id: 'BroadcastPsbt' }),
    z
      .strictObject({
        kind: z.literal('CreateSolanaNonceAccounts'),
        nonceAuthority: z.string().min(32).max(44).optional(),
        count: z.int().min(1).max(NONCE_ACCOUNTS_AT_ONCE_MAX).optional(),
        priority: z.enum(['Slow', 'Standard', 'Fast']).optional(),
        externalId,
      })
      .meta({ id: 'BroadcastCreateSolanaNonceAccounts' }),
  ])
  .meta({ id: 'TransactionBody' });
