import { wakeIdleLanes } from '../../application/outgoing/lanes/wake-lanes';
import type { DutyResult } from '../../domain/housekeeping';
import type { TransferState } from '../../domain/transfers';
import type { OpenTransfer } from '../../entities/housekeeping/housekeeping.store';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import {
  absenceReason,
  type DutyParts,
  HELD_ROWS_MAX,
  ROWS_MAX,
  resultOf,
  STRANDED_AFTER_MS,
  startAgain,
  stranded,
  tickNow,
} from './duty';

const OPEN: readonly TransferState[] = ['Requested', 'AwaitingApproval', 'Approved', 'Signing', 'Signed', 'Broadcasted'];
/** In these states only the signer or the chain may end a transfer, so the new workflow skips judgement and preparation. */
const PREPARED: readonly TransferState[] = ['Signing', 'Signed', 'Broadcasted'];

export function createTransferDuty({ db, housekeeping, statusOf, logger }: DutyParts) {
  const restart = async ({ orgId, id }: OpenTransfer, reason: string): Promise<boolean> => {
    const state = await db.withOrg(orgId, async (tx) => {
      const row = await outgoingStore.lock(tx, id);
      if (!OPEN.includes(row.state)) return undefined;
      await startAgain(tx, id, {
        workflow: 'transfer',
        walletId: row.walletId,
        network: row.network,
        summary: `Transfer on ${row.network} from wallet ${row.walletId}, started again`,
        ...(PREPARED.includes(row.state) ? { prepared: 'true' } : {}),
      });
      return row.state;
    });
    if (state === undefined) return false;
    logger.warn({ orgId, recordId: id, reason: `${state}; ${reason}` }, 'an open transfer had no workflow: started again');
    return true;
  };

  /**
   * Repeats wake-ups that may be lost. Each waiting transfer also checks its lane (the sender's queue) once a minute by a
   * timer, unless the timer was lost.
   */
  const wake = async (waiting: readonly OpenTransfer[]): Promise<void> => {
    const ofOrg = new Map<string, string[]>();
    for (const { orgId, id } of waiting) ofOrg.set(orgId, [...(ofOrg.get(orgId) ?? []), id]);
    for (const [orgId, ids] of ofOrg) await db.withOrg(orgId, (tx) => wakeIdleLanes(tx, ids));
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const at = { after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX, tick: tickNow(), heldMax: HELD_ROWS_MAX };
    const rows = await housekeeping.openTransfers(at);
    const lost = await stranded(rows, ({ id }) => id, statusOf);
    let done = 0;
    for (const { row, standing } of lost) if (await restart(row, absenceReason(standing))) done += 1;
    await wake(rows.filter(({ state }) => state === 'Approved'));
    return resultOf(rows, done);
  };
}
