import { CHAINS } from '../application/hash-chains/chains';
import { numberAll } from '../application/hash-chains/number-pending';
import type { Database } from '../entities/database';
import type { HousekeepingStore } from '../entities/housekeeping/housekeeping.store';
import type { Logger } from '../platform/logger';
import { repeat } from './repeat';

const NUMBER_EVERY_MS = 1_000;
const ORGANIZATIONS_MAX = 100;

type Options = {
  readonly db: Database;
  readonly housekeeping: Pick<HousekeepingStore, 'pendingAuditLogs'>;
  readonly logger: Logger;
};

/**
 * Gives places to the new entries of all audit logs once a second. Each worker does so; the lock of the head makes the workers
 * take turns. Returns a function that stops the repetition.
 */
export function keepAuditLogsNumbered({ db, housekeeping, logger }: Options): () => Promise<void> {
  let isFailing = false;
  const number = async (): Promise<void> => {
    try {
      for (const orgId of await housekeeping.pendingAuditLogs(ORGANIZATIONS_MAX)) await numberAll(db, CHAINS.audit, orgId);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'entries of audit logs could not be numbered: they wait');
      isFailing = true;
    }
  };
  return repeat({ everyMs: NUMBER_EVERY_MS, work: number });
}
