import { z } from 'zod';
import { FAMILY_TRANSFERS } from './families';
import { AMOUNT_MOVED, FeeSponsorId, Memo, UseDurableNonce } from './transfer-members';

export const TransferBody = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('Native'),
        ...AMOUNT_MOVED,
        memo: Memo.optional(),
        createDestinationAccount: z.boolean().optional().describe('For Solana; has no effect for the native asset'),
        useDurableNonce: UseDurableNonce.optional(),
        feeSponsorId: FeeSponsorId.optional(),
      })
      .meta({ id: 'TransferNative' }),
    ...FAMILY_TRANSFERS,
  ])
  .meta({ id: 'TransferBody' });
