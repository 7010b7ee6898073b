import { freezeOfRequest } from '../../application/freezes/active-freezes';
import { emitTransfer, tellTransferResolved } from '../../application/outgoing/events';
import { wakeLane } from '../../application/outgoing/lanes/wake-lanes';
import { giveBackUsage } from '../../application/usage/usage';
import type { Tx } from '../../entities/database';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { approvedGroundsOf } from './grounds';
import type { HeldRecords } from './held-records';

export const transferRecords: HeldRecords<OutgoingEntity> = {
  lock: outgoingStore.lock,
  freeze: freezeOfRequest,
  grounds: approvedGroundsOf,
  approve: outgoingStore.approve,
  async hold(tx, row, held) {
    await outgoingStore.move(tx, row, 'AwaitingApproval', { ...held, waitingSince: null, datePolicyResolved: null });
    await leaveLane(tx, row);
  },
  async reject(tx, row, rejected) {
    const ended = await outgoingStore.move(tx, row, 'Rejected', { ...rejected, waitingSince: null });
    await emitTransfer(tx, ended);
    await tellTransferResolved(tx, ended, 'Blocked');
    await giveBackUsage(tx, row.id);
    await leaveLane(tx, row);
  },
  async fail(tx, row, reason) {
    const ended = await outgoingStore.move(tx, row, 'Failed', { reason, waitingSince: null });
    await emitTransfer(tx, ended);
    await tellTransferResolved(tx, ended, 'Cleared');
    await giveBackUsage(tx, row.id);
    await leaveLane(tx, row);
  },
  async rejudge(tx, { id }, judged) {
    await tx.set(OutgoingEntity, { id }, judged);
  },
};

/**
 * Wakes the next waiting transfer of the lane (the sender's queue), because the leaving transfer may have been woken for a free
 * slot. Otherwise the slot would stay unused.
 */
async function leaveLane(tx: Tx, { waitingSince, network, laneAddress: address }: OutgoingEntity): Promise<void> {
  if (waitingSince !== null) await wakeLane(tx, { network, address }, 1);
}
