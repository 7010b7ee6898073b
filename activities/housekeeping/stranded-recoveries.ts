import { restartRecovery, wakeOf } from '../../application/recovery/waiting-recoveries';
import type { DutyResult } from '../../domain/housekeeping';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { type DutyParts, ROWS_MAX, restartingDuty } from './duty';

/**
 * A waiting recovery without a workflow blocks every other recovery of the same user. The duty also wakes outdated recoveries,
 * so that they end at once. A recovery is outdated if it began before the deployment was last released from a freeze.
 */
export function createRecoveryDuty(parts: DutyParts) {
  const { db, housekeeping } = parts;
  const restart = restartingDuty(parts, {
    find: housekeeping.waitingRecoveries,
    routingOf: restartRecovery,
    said: 'a waiting recovery',
  });
  return async (after: string | undefined): Promise<DutyResult> => {
    const outdated = after === undefined ? await housekeeping.outdatedRecoveries(ROWS_MAX) : [];
    for (const { orgId, id } of outdated) await db.withOrg(orgId, (tx) => outboxStore.add(tx, wakeOf(id)));
    return restart(after);
  };
}
