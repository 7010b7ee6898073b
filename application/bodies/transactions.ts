import { z } from 'zod';
import { FAMILY_RAW_TRANSACTIONS, FAMILY_TRANSACTIONS } from './families';
import { TransactionExternalId } from './transaction-members';

export const TransactionBody = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('Transaction'),
        transaction: z
          .union(FAMILY_RAW_TRANSACTIONS)
          .describe('On EVM networks its members or its unsigned bytes; on Solana its bytes in base64 or as hexadecimal digits'),
        externalId: TransactionExternalId,
      })
      .meta({ id: 'BroadcastTransaction' }),
    ...FAMILY_TRANSACTIONS,
  ])
  .meta({ id: 'TransactionBody' });
