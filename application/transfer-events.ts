import type { EventKind } from '../domain/events';
import type { TransferForm, TransferState } from '../domain/transfers';
import type { Tx } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { signRequestOf } from './views/wallet-requests';

const KIND_OF: Readonly<Record<TransferForm, Partial<Record<TransferState, EventKind>>>> = {
  Transfer: {
    Requested: 'wallet.transfer.requested',
    Broadcasted: 'wallet.transfer.broadcasted',
    Confirmed: 'wallet.transfer.confirmed',
    Failed: 'wallet.transfer.failed',
    Rejected: 'wallet.transfer.rejected',
  },
  Transaction: {
    Requested: 'wallet.transaction.requested',
    Broadcasted: 'wallet.transaction.broadcasted',
    Confirmed: 'wallet.transaction.confirmed',
    Failed: 'wallet.transaction.failed',
    Rejected: 'wallet.transaction.rejected',
  },
};

/** Tells of the state that a transfer or transaction has just reached, when the interface has a word for it. */
export async function emitTransfer(tx: Tx, row: TransferEntity): Promise<void> {
  const kind = KIND_OF[row.form][row.state];
  if (!kind) return;
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data: signRequestOf(row) });
}
