import { z } from 'zod';
import { AMOUNT_MOVED, FeeSponsorId, Memo, TransferAddress, UseDurableNonce } from '../transfer-members';

export const SOLANA_TRANSFERS = [
  z
    .strictObject({
      kind: z.enum(['Spl', 'Spl2022']),
      mint: TransferAddress.describe('Address of the mint; its program decides between `Spl` and `Spl2022`'),
      ...AMOUNT_MOVED,
      memo: Memo.optional(),
      createDestinationAccount: z
        .boolean()
        .optional()
        .meta({ description: 'Creates the account of the recipient for this token, and pays for it' }),
      useDurableNonce: UseDurableNonce.optional(),
      feeSponsorId: FeeSponsorId.optional(),
    })
    .meta({ id: 'TransferSplOrSpl2022' }),
] as const;
