import { z } from 'zod';
import { TransferBody } from '../../../application/bodies/transfers';
import { bodyAsSent } from '../../http/snapshots';
import { Quotes } from '../../quote-schemas';
import { askedMembers, progressMembers, replacementMembers } from '../../replacement-schemas';

export const TransferParams = z.object({ walletId: z.string().min(1).max(64), transferId: z.string().min(1).max(64) });

export const TransferRequest = z
  .object({
    ...askedMembers,
    requestBody: bodyAsSent(TransferBody),
    metadata: z.object({
      asset: z.object({
        symbol: z.string().optional(),
        decimals: z.number().int().optional(),
        verified: z.boolean().optional(),
        quotes: Quotes.optional().meta({
          description: 'Price of one whole asset at the time of the request, if known',
        }),
      }),
    }),
    ...progressMembers,
    feeSponsorId: z.string().optional(),
    ...replacementMembers,
  })
  .meta({ id: 'TransferRequest' });

export const TransferPage = z.object({
  items: z.array(TransferRequest),
  nextPageToken: z.string().optional(),
  walletId: z.string(),
});
