import { AppError } from '../domain/errors';
import type { Database } from '../entities/database';
import { deploymentStore } from '../entities/deployment/deployment.store';

/** How long an answer counts. A freeze begins with every process stopped, so only its end is learned late. */
const REREAD_MS = 2_000;

/** Whether a restored deployment waits for its reconciliation (S5). */
export type Freeze = {
  /** Throws `Frozen` while it does, and whatever the database throws when nobody can tell. */
  readonly assertThawed: () => Promise<void>;
};

export function createFreeze(db: Pick<Database, 'read'>, nowMs: () => number = () => performance.now()): Freeze {
  let known: { readonly since: Date | null; readonly atMs: number } | undefined;
  let reading: Promise<Date | null> | undefined;

  const read = async (): Promise<Date | null> => {
    try {
      // The row belongs to no organisation, so none is named.
      const since = await deploymentStore.frozenSince(db.read(''));
      known = { since, atMs: nowMs() };
      return since;
    } finally {
      reading = undefined;
    }
  };

  return {
    async assertThawed() {
      let since = known?.since;
      if (!known || nowMs() - known.atMs >= REREAD_MS) {
        reading ??= read();
        since = await reading;
      }
      if (since !== null) throw frozen();
    },
  };
}

const frozen = () =>
  new AppError('Frozen', 'This deployment was restored and is frozen until its operator has reconciled it; nothing is changed');
