import { applyWaiting } from '../../application/recovery/waiting-recoveries';
import type { RecoveryStanding } from '../../domain/recoveries';
import type { Database } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';

type Dependencies = { readonly db: Database; readonly mailContents: SecretBox };

export function createRecoveryActivities(dependencies: Dependencies) {
  return {
    /** A repeated run changes nothing. */
    applyRecovery: ({ orgId, recoveryId }: { readonly orgId: string; readonly recoveryId: string }): Promise<RecoveryStanding> =>
      applyWaiting(dependencies, orgId, recoveryId),
  };
}

export type RecoveryActivities = ReturnType<typeof createRecoveryActivities>;
