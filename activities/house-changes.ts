import { restartChange } from '../application/change-release';
import type { HouseResult } from '../domain/house';
import type { OpenRow } from '../entities/house/house.store';
import { type Asked, type HouseParts, OPEN_FOR_MS, ROWS_MAX, reasonOf, resultOf, startAgain, stranded } from './house-work';

/** Finds changes that wait for people with no workflow to hear them: each keeps every other change of its record away. */
export function createChangeDuty({ db, house, standingOf, logger }: HouseParts) {
  const restart = async ({ row: { orgId, id }, standing }: Asked<OpenRow>): Promise<boolean> => {
    const routing = await db.withOrg(orgId, async (tx) => {
      const found = await restartChange(tx, id);
      if (found) await startAgain(tx, id, found);
      return found;
    });
    if (!routing) return false;
    logger.warn({ orgId, recordId: id, reason: reasonOf(standing) }, 'a pending change request had no workflow: started again');
    return true;
  };

  return async (after: string | undefined): Promise<HouseResult> => {
    const rows = await house.pendingChanges({ after, olderThanMs: OPEN_FOR_MS, rowsMax: ROWS_MAX });
    let done = 0;
    for (const lost of await stranded(rows, ({ id }) => id, standingOf)) if (await restart(lost)) done += 1;
    return resultOf(rows, done);
  };
}
