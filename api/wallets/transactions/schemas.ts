import { z } from 'zod';
import { NETWORK_NAMES } from '../../../domain/networks';
import { NONCE_ACCOUNTS_AT_ONCE_MAX } from '../../../domain/nonce-accounts';
import { USER_OPERATIONS_MAX } from '../../../domain/transactions';
import { FunctionCall } from '../../function-schemas';
import { Details, REPLACEMENT_ID } from '../../replacement-schemas';
import { EVM_MEMBERS, EVM_PRICES, EvmTransactionInput, PsbtHex } from '../../transaction-schemas';

export const WalletParams = z.object({ walletId: z.string().min(1).max(64) });
export const TransactionParams = z.object({ walletId: z.string().min(1).max(64), transactionId: z.string().min(1).max(64) });

/** Of a whole packet of Solana. */
const BASE64_CHARS_MAX = 1_644;
const Base64 = z
  .string()
  .min(4)
  .max(BASE64_CHARS_MAX)
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');

const externalId = z.string().min(1).max(50).optional();

/** One call of several that are carried out together, or not at all. */
const UserOperation = z.strictObject({
  to: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  value: z
    .string()
    .regex(/^\d{1,78}$/)
    .optional()
    .describe('Smallest units of the native asset; 0 where it is left out'),
  data: z
    .string()
    .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/)
    .optional(),
});

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
        userOperations: z.array(UserOperation).min(1).max(USER_OPERATIONS_MAX),
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

const IsoDate = z.string().meta({ format: 'date-time' });

export const TransactionRequest = z
  .object({
    id: z.string(),
    walletId: z.string(),
    network: z.enum(NETWORK_NAMES),
    requester: z.object({ userId: z.string(), tokenId: z.string().optional() }),
    requestBody: z.record(z.string(), z.unknown()),
    status: z.enum(['Pending', 'Executing', 'Broadcasted', 'Confirmed', 'Failed', 'Rejected']),
    reason: z.string().optional(),
    txHash: z.string().optional(),
    fee: z.string().optional(),
    dateRequested: IsoDate,
    datePolicyResolved: IsoDate.optional(),
    dateBroadcasted: IsoDate.optional(),
    dateConfirmed: IsoDate.optional(),
    approvalId: z.string().optional(),
    externalId: z.string().optional(),
    replacementId: z.string().optional().describe(REPLACEMENT_ID),
    details: Details.optional(),
  })
  .meta({ id: 'TransactionRequest' });

export const TransactionPage = z.object({
  items: z.array(TransactionRequest),
  nextPageToken: z.string().optional(),
  walletId: z.string(),
});
