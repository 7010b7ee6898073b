import { applyWaiting } from '../../application/recovery/waiting-recoveries';
import type { RecoveryStanding } from '../../domain/recoveries';
import type { Database } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';

type Dependencies = { readonly db: Database; readonly mailContents: SecretBox };

/** Activities of the `main` queue that end the waiting of recoveries. */
export function createRecoveryActivities(dependencies: Dependencies) {
  return {
    /** Applies a recovery whose time has come, once; answers how it stands. */
    applyRecovery: ({ orgId, recoveryId }: { readonly orgId: string; readonly recoveryId: string }): Promise<RecoveryStanding> =>
      applyWaiting(dependencies, orgId, recoveryId),
  };
}

export type RecoveryActivities = ReturnType<typeof createRecoveryActivities>;
