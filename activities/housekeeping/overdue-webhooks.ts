import { retryRouting } from '../../application/webhooks/delivery';
import type { DutyResult } from '../../domain/housekeeping';
import type { OpenAttempt } from '../../entities/housekeeping/housekeeping.store';
import { webhookEventStore } from '../../entities/webhooks/webhook-event.store';
import { type DutyParts, ROWS_MAX, resultOf, startAgain, stranded } from './duty';

/** In normal operation every attempt has a result within this time, even with waits and retries. */
const OVERDUE_FOR_MS = 15 * 60_000;

export function createWebhookDuty({ db, housekeeping, statusOf, logger }: DutyParts) {
  /**
   * Closes an attempt that no process will repeat. For example, a crash interrupts a first attempt, and the webhook is disabled
   * before the dispatch is repeated. The repeated dispatch then skips the webhook.
   */
  const giveUp = async ({ orgId, id, attempt }: OpenAttempt): Promise<void> => {
    await db.withOrg(orgId, async (tx) => {
      const row = await webhookEventStore.findRow(tx, id);
      if (row && (attempt > 1 || row.deliveryFailed === null)) await webhookEventStore.giveUp(tx, row, attempt);
    });
    logger.warn({ orgId, recordId: id }, 'a webhook delivery without a result was closed: no process will attempt it again');
  };

  const restart = async (row: OpenAttempt): Promise<void> => {
    const { orgId, firstId } = row;
    const found = await db.withOrg(orgId, async (tx) => {
      const first = await webhookEventStore.findRow(tx, firstId);
      if (first) await startAgain(tx, firstId, retryRouting(first));
      return first !== undefined;
    });
    // If retention has removed the row of the first attempt, the next due time is unknown.
    if (!found) await giveUp(row);
    else logger.warn({ orgId, recordId: firstId }, 'an overdue webhook delivery had no workflow: started again');
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.openAttempts({ after, olderThanMs: OVERDUE_FOR_MS, rowsMax: ROWS_MAX });
    const abandoned = rows.filter(({ attempt, settled }) => attempt === 1 && !settled);
    const retries = rows.filter((row) => !abandoned.includes(row));
    for (const row of abandoned) await giveUp(row);
    // Two attempts of one delivery may be open at once; one workflow handles both attempts.
    const lost = await stranded(retries, ({ firstId }) => firstId, statusOf);
    const firsts = new Map(lost.map(({ row }) => [row.firstId, row]));
    for (const row of firsts.values()) await restart(row);
    return resultOf(rows, abandoned.length + firsts.size);
  };
}
