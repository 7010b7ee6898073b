import { z } from 'zod';
import { TransactionBody } from '../../../application/bodies/transactions';
import { REPLACEMENT_BODIES } from '../../../domain/transfers';
import { NextPageToken } from '../../http/pagination';
import { bodyAsSent } from '../../http/snapshots';
import { askedMembers, progressMembers, replacementMembers } from '../../replacement-schemas';
import { WalletParams } from '../../wallet-schemas';

export const TransactionParams = WalletParams.extend({
  transactionId: z.string().min(1).max(64).describe('ID of the transaction'),
});

const replacement = <const K extends string>(kind: K) => ({
  kind: z.literal(kind),
  signedTx: z.string().describe('The signed bytes; `0x` until they are sent'),
  externalId: z.string().optional(),
});

const Replaced = z.string().describe('ID of the transaction that this transaction replaces');

/** The caller's body or, for a replacement, the service's body. */
const RecordedTransactionBody = z
  .discriminatedUnion('kind', [
    ...TransactionBody.options,
    z
      .object({ ...replacement(REPLACEMENT_BODIES.Cancel), txHash: Replaced.optional() })
      .meta({ id: 'BroadcastCancelTransaction' }),
    z.object({ ...replacement(REPLACEMENT_BODIES.SpeedUp), txHash: Replaced }).meta({ id: 'BroadcastSpeedUpTransaction' }),
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
  nextPageToken: NextPageToken,
  walletId: z.string(),
});
