import type { TransferState } from '../../../domain/transfers';
import type { Tx } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { giveBackUsage } from '../../usage/usage';
import { emitTransfer, tellTransferResolved } from '../events';
import { wakeLane } from '../lanes/wake-lanes';

/** The reason of an aborted request. */
export const ABORTED = 'Aborted on request before anything was signed';

/** How a request ends without a signature, and why. A request that policies have refused ends as `Rejected`. */
export type Unsigned = { readonly to: 'Failed' | 'Rejected'; readonly reason: string };

/**
 * Ends a transfer without a signature if its state is one of `from`. Gives back the transfer's claims and its share of usage
 * windows. Returns the resulting state. Changes nothing if another attempt has already advanced the transfer. The reason is
 * shown to the API's caller. If `end` is a plain string, the transfer ends as `Failed` with that string as its reason.
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
  // Wakes the next transfer in the queue, which would otherwise notice the free slot only at its own retry.
  if (released > 0 || row.waitingSince !== null) await wakeLane(tx, { network: row.network, address: row.laneAddress }, 1);
  return to;
}
