import { z } from 'zod';
import { TransferBody } from '../../../application/bodies/transfers';
import { NextPageToken } from '../../http/pagination';
import { bodyAsSent } from '../../http/snapshots';
import { Quotes } from '../../quote-schemas';
import { askedMembers, progressMembers, replacementMembers } from '../../replacement-schemas';
import { Verified, WalletParams } from '../../wallet-schemas';

export const TransferParams = WalletParams.extend({ transferId: z.string().min(1).max(64).describe('ID of the transfer') });

export const TransferRequest = z
  .object({
    ...askedMembers,
    requestBody: bodyAsSent(TransferBody),
    metadata: z.object({
      asset: z.object({
        symbol: z
          .string()
          .optional()
          .describe('For a token that is not `verified`, the symbol that the token itself reports, if any'),
        decimals: z.number().int().optional().describe('Absent for an ERC-721 token'),
        verified: Verified,
        quotes: Quotes.optional().meta({
          description: 'Price of one whole asset at the time of the request, if known',
        }),
      }),
    }),
    ...progressMembers,
    feeSponsorId: z.string().optional().describe('The fee sponsor that pays the fee; absent if the wallet pays it'),
    ...replacementMembers,
  })
  .meta({ id: 'TransferRequest' });

export const TransferPage = z.object({
  items: z.array(TransferRequest),
  nextPageToken: NextPageToken,
  walletId: z.string(),
});
