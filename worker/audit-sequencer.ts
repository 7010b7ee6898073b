import { CHAINS } from '../application/hash-chains/chains';
import { numberAll } from '../application/hash-chains/number-pending';
import type { Database } from '../entities/database';
import type { HousekeepingStore } from '../entities/housekeeping/housekeeping.store';
import type { Logger } from '../platform/logger';
import { during } from '../platform/points';
import { repeat } from './repeat';

const NUMBER_EVERY_MS = 1_000;
const ORGANIZATIONS_MAX = 100;

type Options = {
  readonly db: Database;
  readonly housekeeping: Pick<HousekeepingStore, 'pendingAuditLogs'>;
  readonly logger: Logger;
};

/**
 * Numbers the new entries of all audit logs once a second. Every worker does so, and a lock on the head of each log makes the
 * workers take turns. Returns a function that stops the repetition.
 */
export function keepAuditLogsNumbered({ db, housekeeping, logger }: Options): () => Promise<void> {
  let isFailing = false;
  const number = async (): Promise<void> => {
    const faults: unknown[] = [];
    const note = (error: unknown) => void faults.push(error);
    const orgIds = (await housekeeping.pendingAuditLogs(ORGANIZATIONS_MAX).catch(note)) ?? [];
    // A fault in the log of one organisation must not delay the other logs.
    for (const orgId of orgIds) await during('numberAudit', { orgId }, () => numberAll(db, CHAINS.audit, orgId)).catch(note);
    const [err] = faults;
    if (faults.length > 0 && !isFailing) logger.warn({ err }, 'entries of audit logs could not be numbered: they wait');
    isFailing = faults.length > 0;
  };
  return repeat({ everyMs: NUMBER_EVERY_MS, work: number });
}
