import { z } from 'zod';
import { isAmount } from '../../../domain/amounts';
import { AMOUNT_MOVED, Amount, FeeSponsorId, MOVED, TransferAddress } from '../transfer-members';

const TokenAddress = TransferAddress.describe('Address of the token');
const TokenId = z
  .string()
  .refine(isAmount, 'must be the number of a token: digits only, no leading zero, at most 2^256 - 1')
  .meta({ pattern: '^(0|[1-9][0-9]{0,77})$', description: 'Number of the token in its contract' });

export const EVM_TRANSFERS = [
  z
    .strictObject({ kind: z.literal('Erc20'), contract: TokenAddress, ...AMOUNT_MOVED, feeSponsorId: FeeSponsorId.optional() })
    .meta({ id: 'TransferErc20' }),
  z
    .strictObject({
      kind: z.literal('Erc7984'),
      contract: TokenAddress,
      ...AMOUNT_MOVED,
      amount: Amount.meta({
        description:
          'Whole number of smallest units of the asset. 0 is allowed too, because on chain a transfer of 0 looks like any other',
      }),
      feeSponsorId: FeeSponsorId.optional(),
    })
    .meta({ id: 'TransferErc7984' }),
  z
    .strictObject({
      kind: z.literal('Erc721'),
      contract: TokenAddress,
      tokenId: TokenId,
      ...MOVED,
      feeSponsorId: FeeSponsorId.optional(),
    })
    .meta({ id: 'TransferErc721' }),
] as const;
