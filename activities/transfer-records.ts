import { wakeLane } from '../application/lanes';
import { reachOfRequest } from '../application/standing-freezes';
import { emitTransfer, tellTransferResolved } from '../application/transfer-events';
import { giveBackUsage } from '../application/usage';
import type { Tx } from '../entities/database';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import type { HeldRecords } from './held-records';
import { groundsOf } from './transfer-grounds';

/** Transfers and raw transactions, as policies and people decide about them. */
export const transferRecords: HeldRecords<TransferEntity> = {
  lock: transferStore.lock,
  reach: reachOfRequest,
  grounds: groundsOf,
  approve: transferStore.approve,
  async hold(tx, row, held) {
    await transferStore.move(tx, row, 'AwaitingApproval', { ...held, waitingSince: null, datePolicyResolved: null });
    await leaveLane(tx, row);
  },
  async reject(tx, row, rejected) {
    const ended = await transferStore.move(tx, row, 'Rejected', { ...rejected, waitingSince: null });
    await emitTransfer(tx, ended);
    await tellTransferResolved(tx, ended, 'Blocked');
    await giveBackUsage(tx, row.id);
    await leaveLane(tx, row);
  },
  async fail(tx, row, reason) {
    const ended = await transferStore.move(tx, row, 'Failed', { reason, waitingSince: null });
    await emitTransfer(tx, ended);
    await tellTransferResolved(tx, ended, 'Cleared');
    await giveBackUsage(tx, row.id);
    await leaveLane(tx, row);
  },
  async rejudge(tx, { id }, judged) {
    await tx.update(TransferEntity, { id }, judged);
  },
};

/** A transfer that was woken for a free place and does not take it leaves it to the next one. */
async function leaveLane(tx: Tx, { waitingSince, network, laneAddress: address }: TransferEntity): Promise<void> {
  if (waitingSince !== null) await wakeLane(tx, { network, address }, 1);
}
