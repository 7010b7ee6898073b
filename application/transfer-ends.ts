import type { Tx } from '../entities/database';
import { transferStore } from '../entities/transfers/transfer.store';
import { wakeLane } from './lanes';
import { emitTransfer } from './transfer-events';

/** Ends a transfer of which nothing was signed. `reason` is for the caller to read. Harmless the second time. */
export async function failTransfer(tx: Tx, transferId: string, reason: string): Promise<void> {
  const row = await transferStore.lock(tx, transferId);
  if (row.state === 'Failed' || row.state === 'Rejected') return;
  await emitTransfer(tx, await transferStore.move(tx, row, 'Failed', { reason, waitingSince: null }));
  // Its place in the queue falls to the next one, which would otherwise find out only at its own retry.
  if (row.waitingSince !== null) await wakeLane(tx, { network: row.network, address: row.fromAddress }, 1);
}
