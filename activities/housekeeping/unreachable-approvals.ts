import { watchApprovals } from '../../application/approvals/unreachable-approvals';
import type { DutyResult } from '../../domain/housekeeping';
import type { OpenRow } from '../../entities/housekeeping/housekeeping.store';
import { type DutyParts, ROWS_MAX, resultOf, STRANDED_AFTER_MS } from './duty';

/** An approval can no longer reach its quorum if too many voters have left since the request. */
export function createApprovalDuty({ db, housekeeping, logger }: Pick<DutyParts, 'db' | 'housekeeping' | 'logger'>) {
  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await housekeeping.pendingApprovals({ after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX });
    let done = 0;
    for (const [orgId, approvalIds] of byOrganization(rows)) {
      const told = await db.withOrg(orgId, (tx) => watchApprovals(tx, approvalIds));
      done += told.length;
      for (const recordId of told) logger.warn({ orgId, recordId }, 'a pending approval can no longer reach its quorum');
    }
    return resultOf(rows, done);
  };
}

function byOrganization(rows: readonly OpenRow[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { orgId, id } of rows) found.set(orgId, [...(found.get(orgId) ?? []), id]);
  return found;
}
