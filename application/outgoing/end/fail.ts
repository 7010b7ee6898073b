import type { TransferState } from '../../../domain/transfers';
import type { Tx } from '../../../entities/database';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { giveBackUsage } from '../../usage/usage';
import { emitTransfer, tellTransferResolved } from '../events';
import { wakeLane } from '../lanes/wake-lanes';

/** What an aborted request says of itself. */
export const ABORTED = 'Aborted on request before anything was signed';

/** Why and how something ends of which nothing was signed: `Rejected` is what policies have stopped. */
export type Unsigned = { readonly to: 'Failed' | 'Rejected'; readonly reason: string };

/**
 * Ends a transfer of which nothing was signed and gives its nonce and what it used of velocity windows back, if it still stands in one of these states; answers the
 * state that it is in then. An attempt that comes late, after another one went on, changes nothing. The reason is for the
 * caller to read; given alone, the transfer ends as `Failed`.
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
  // From `Signing` on it was told already.
  if (row.state === 'Approved') await tellTransferResolved(tx, ended, 'Cleared');
  if (to === 'Rejected') await tellTransferResolved(tx, ended, 'Blocked');
  await giveBackUsage(tx, transferId);
  const released = await laneStore.release(tx, row);
  // Its place in the queue falls to the next one, which would otherwise find out only at its own retry.
  if (released > 0 || row.waitingSince !== null) await wakeLane(tx, { network: row.network, address: row.laneAddress }, 1);
  return to;
}
