import type { TransferState } from '../../../domain/transfers';
import type { Tx } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { giveBackUsage } from '../../usage/usage';
import { emitTransfer, tellTransferResolved } from '../events';
import { wakeLane } from '../lanes/wake-lanes';

export const ABORTED = 'Aborted on request before anything was signed';

/** A request that policies have refused ends as `Rejected`. */
export type Unsigned = { readonly to: 'Failed' | 'Rejected'; readonly reason: string };

/**
 * Ends an unsigned transfer if its state is one of `from`. Gives back the claims and the share of usage windows. Returns the
 * resulting state. The API shows the reason to the caller. A plain string as `end` means `Failed`.
 */
export async function failTransfer(
  tx: Tx,
  transferId: string,
  from: readonly TransferState[],
  end: Unsigned | string,
): Promise<TransferState> {
  const { to, reason } = typeof end === 'string' ? ({ to: 'Failed', reason: end } as const) : end;
  const row = await outgoingStore.lockBehindRoot(tx, transferId);
  if (!from.includes(row.state)) return row.state;
  const ended = await outgoingStore.move(tx, row, to, { reason, waitingSince: null });
  await emitTransfer(tx, ended);
  // If the state is later than `Approved`, an earlier call of `tellTransferResolved` has emitted the event.
  if (row.state === 'Approved') await tellTransferResolved(tx, ended, 'Cleared');
  if (to === 'Rejected') await tellTransferResolved(tx, ended, 'Blocked');
  await giveBackUsage(tx, transferId);
  const released = await laneStore.release(tx, row);
  // Without this signal, the next transfer in the queue notices the free place only at its own retry.
  if (released > 0 || row.waitingSince !== null) await wakeLane(tx, { network: row.network, address: row.laneAddress }, 1);
  return to;
}
