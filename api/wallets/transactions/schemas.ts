import { z } from 'zod';
import { TransactionBody } from '../../../application/bodies/transactions';
import { REPLACEMENT_BODIES } from '../../../domain/transfers';
import { bodyAsSent } from '../../http/snapshots';
import { askedMembers, progressMembers, replacementMembers } from '../../replacement-schemas';

export const TransactionParams = z.object({ walletId: z.string().min(1).max(64), transactionId: z.string().min(1).max(64) });

const replacement = <const K extends string>(kind: K) => ({
  kind: z.literal(kind),
  signedTx: z.string().describe('`0x` until the bytes are sent'),
  externalId: z.string().optional(),
});

/** The body of a transaction as shown: as it was sent or, for a replacement, as the service made it. */
const RecordedTransactionBody = z
  .discriminatedUnion('kind', [
    ...TransactionBody.options,
    z
      .object({ ...replacement(REPLACEMENT_BODIES.Cancel), txHash: z.string().optional() })
      .meta({ id: 'BroadcastCancelTransaction' }),
    z.object({ ...replacement(REPLACEMENT_BODIES.SpeedUp), txHash: z.string() }).meta({ id: 'BroadcastSpeedUpTransaction' }),
  ])
  .meta({ id: 'RecordedTransactionBody' });

export const TransactionRequest = z
  .object({
    ...askedMembers,
    requestBody: bodyAsSent(RecordedTransactionBody),
    ...progressMembers,
    ...replacementMembers,
  })
  .meta({ id: 'TransactionRequest' });

export const TransactionPage = z.object({
  items: z.array(TransactionRequest),
  nextPageToken: z.string().optional(),
  walletId: z.string(),
});
