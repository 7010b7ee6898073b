import { watchApprovals } from '../../application/approvals/unreachable-approvals';
import type { HouseResult } from '../../domain/housekeeping';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import { type HouseParts, ROWS_MAX, resultOf, STRANDED_AFTER_MS } from './duty';

/** Finds waiting approvals whose voters have gone since they were asked. */
export function createApprovalDuty({ db, house, logger }: Pick<HouseParts, 'db' | 'house' | 'logger'>) {
  return async (after: string | undefined): Promise<HouseResult> => {
    const rows = await house.pendingApprovals({ after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX });
    let done = 0;
    for (const [orgId, approvalIds] of byOrganization(rows)) {
      const told = await db.withOrg(orgId, (tx) => watchApprovals(tx, approvalIds));
      done += told.length;
      for (const recordId of told) logger.warn({ orgId, recordId }, 'a waiting approval cannot be reached any more');
    }
    return resultOf(rows, done);
  };
}

function byOrganization(rows: readonly OpenRow[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { orgId, id } of rows) found.set(orgId, [...(found.get(orgId) ?? []), id]);
  return found;
}
