import type { EventKind } from '../../domain/events';
import type { TransferForm, TransferState } from '../../domain/transfers';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { tellActivityResolved } from '../policies/events';
import { signRequestOf } from './view';

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

/** Does nothing unless a policy had held or blocked the transfer. */
export async function tellTransferResolved(tx: Tx, row: OutgoingEntity, status: 'Cleared' | 'Blocked'): Promise<void> {
  if (status === 'Cleared' && row.approvalId === null) return;
  await tellActivityResolved(tx, status, row, { kind: 'Wallets:Sign', ...signRequestOf(row) });
}

/** Emits the event for a request that a reorg has reopened (S14). */
export async function emitReversed(tx: Tx, row: OutgoingEntity): Promise<void> {
  const kind = row.form === 'Transfer' ? 'wallet.transfer.reversed' : 'wallet.transaction.reversed';
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data: signRequestOf(row) });
}

export async function emitTransfer(tx: Tx, row: OutgoingEntity): Promise<void> {
  const kind = KIND_OF[row.form][row.state];
  if (!kind) return;
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data: signRequestOf(row) });
}
