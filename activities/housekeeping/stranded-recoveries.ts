import { restartRecovery, wakeOf } from '../../application/recovery/waiting-recoveries';
import type { DutyResult } from '../../domain/housekeeping';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { type DutyParts, ROWS_MAX, restartingDuty } from './duty';

/**
 * Finds recoveries that wait without a workflow to end them: each blocks every other recovery of its user. Also wakes
 * recoveries that began before the last freeze of the deployment was released, so that they end now and not at the end of their
 * wait.
 */
export function createRecoveryDuty(parts: DutyParts) {
  const { db, housekeeping } = parts;
  const restart = restartingDuty(parts, {
    find: housekeeping.waitingRecoveries,
    routingOf: restartRecovery,
    said: 'a recovery that waits',
  });
  return async (after: string | undefined): Promise<DutyResult> => {
    const outdated = after === undefined ? await housekeeping.outdatedRecoveries(ROWS_MAX) : [];
    for (const { orgId, id } of outdated) await db.withOrg(orgId, (tx) => outboxStore.add(tx, wakeOf(id)));
    return restart(after);
  };
}
