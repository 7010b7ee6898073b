import { type DeploymentFreeze, freezeSentence } from '../../domain/deployment-freeze';
import { AppError } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { deploymentStore } from '../../entities/deployment/deployment.store';

/**
 * How long the state is cached. Each process notices a freeze by the operator, and any release, after at most this time. A
 * restore runs while every process is stopped, so no cache is older than a restore.
 */
const REREAD_MS = 2_000;

/** The freeze of the whole deployment: by a restore that is not reconciled yet, or by the operator (S5). */
export type RestoreLock = {
  /** Throws `Frozen` while the deployment is frozen. Throws the database's error if the state cannot be read. */
  readonly assertThawed: () => Promise<void>;
};

export type RestoreLockStatus = {
  /** Null if the deployment is not frozen. */
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
      // The row of the freeze does not belong to an organisation, so the query does not specify one.
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
