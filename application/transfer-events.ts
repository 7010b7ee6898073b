import type { EventKind } from '../domain/events';
import type { TransferState } from '../domain/transfers';
import type { Tx } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferView } from './views/transfers';

const KIND_OF: Partial<Record<TransferState, EventKind>> = {
  Requested: 'wallet.transfer.requested',
  Broadcasted: 'wallet.transfer.broadcasted',
  Confirmed: 'wallet.transfer.confirmed',
  Failed: 'wallet.transfer.failed',
  Rejected: 'wallet.transfer.rejected',
};

/** Tells of the state that a transfer has just reached, when the interface has a word for it. */
export async function emitTransfer(tx: Tx, row: TransferEntity): Promise<void> {
  const kind = KIND_OF[row.state];
  if (!kind) return;
  const data = { transferRequest: transferView(row) };
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data });
}
