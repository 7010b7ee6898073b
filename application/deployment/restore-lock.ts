import { type DeploymentFreeze, freezeSentence } from '../../domain/deployment-freeze';
import { AppError } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { deploymentStore } from '../../entities/deployment/deployment.store';

/**
 * How long a reading is cached. A restore runs while every process is stopped. Processes notice an operator's freeze and every
 * release after this delay at most.
 */
const REREAD_MS = 2_000;

/** Whether the whole deployment is frozen: by a restore that is not reconciled yet, or by its operator (S5). */
export type RestoreLock = {
  /** Throws `Frozen` while the deployment is frozen, and the database's error if that cannot be read. */
  readonly assertThawed: () => Promise<void>;
};

export type RestoreLockStatus = {
  /** Why the deployment is frozen; null if it is not. */
  readonly standing: () => Promise<DeploymentFreeze | null>;
};

export function createRestoreLock(
  db: Pick<Database, 'read'>,
  nowMs: () => number = () => performance.now(),
): RestoreLock & RestoreLockStatus {
  let known: { readonly freeze: DeploymentFreeze | null; readonly atMs: number } | undefined;
  let reading: Promise<DeploymentFreeze | null> | undefined;

  const read = async (): Promise<DeploymentFreeze | null> => {
    try {
      // The row belongs to no organisation, so the query needs none.
      const freeze = await deploymentStore.freeze(db.read(''));
      known = { freeze, atMs: nowMs() };
      return freeze;
    } finally {
      reading = undefined;
    }
  };

  const standing = async (): Promise<DeploymentFreeze | null> => {
    if (known && nowMs() - known.atMs < REREAD_MS) return known.freeze;
    reading ??= read();
    return reading;
  };

  return {
    standing,
    async assertThawed() {
      const freeze = await standing();
      if (freeze) throw new AppError('Frozen', freezeSentence(freeze));
    },
  };
}
