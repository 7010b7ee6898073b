import type { IncomingTransfer } from '../../domain/incoming';
import { newId } from '../../platform/ids';
import type { Tx } from '../database';
import { IncomingTransactionEntity } from './incoming-transaction.entity';

export const incomingTransactionStore = {
  /** Undefined if this movement to this wallet is already recorded. */
  async add(tx: Tx, { dateDetected, blockNumber, ...incoming }: IncomingTransfer): Promise<string | undefined> {
    const id = newId('incomingTransaction');
    const row = {
      orgId: tx.orgId,
      id,
      ...incoming,
      blockNumber: String(blockNumber),
      dateDetected: new Date(dateDetected),
    };
    return (await tx.insertOnce(IncomingTransactionEntity, row)) ? id : undefined;
  },

  lock: (tx: Tx, id: string): Promise<IncomingTransactionEntity | undefined> =>
    tx.row(IncomingTransactionEntity, 'WHERE t.id = $1 FOR UPDATE', [id]),
};
