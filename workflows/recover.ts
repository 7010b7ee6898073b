import { CancellationScope, condition, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { RecoveryActivities } from '../activities/recovery/recoveries';
import type { RecoveryStatus } from '../domain/recoveries';
import { type RecoverInput, recoveryStopped } from './recover.messages';

const { applyRecovery } = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Replace the old credentials with the new ones once the wait is over',
});

/**
 * The database decides whether the wait is over, so that a forged timer cannot shorten the wait. Ignores cancellation, because
 * only a person may stop a recovery.
 */
export async function recover({ orgId, id }: RecoverInput): Promise<RecoveryStatus> {
  let woken = false;
  setHandler(recoveryStopped, () => {
    woken = true;
  });
  return CancellationScope.nonCancellable(async () => {
    let standing = await applyRecovery({ orgId, recoveryId: id });
    while (standing.status === 'Waiting') {
      setCurrentDetails('Waiting while the recovery can still be stopped');
      await condition(() => woken, standing.waitMs);
      woken = false; // before the call, so that a wake-up during the call is not missed
      standing = await applyRecovery({ orgId, recoveryId: id });
    }
    setCurrentDetails(standing.status === 'Applied' ? 'The recovery was applied' : 'The recovery was stopped');
    return standing.status;
  });
}
