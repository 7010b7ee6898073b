import { registerFreezeWaiter } from '../../application/freezes/active-freezes';
import type { Frozen } from '../../domain/freezes';
import type { Database } from '../../entities/database';
import type { HeldRecords, HeldRow } from './held-records';

/**
 * Returns the freeze that stops the record, if there is one. Registers the frozen record, because the release of the freeze
 * must wake the record. Freezes are rare, so the first lookup uses no database transaction.
 */
export async function frozenBefore<R extends HeldRow>(
  db: Database,
  orgId: string,
  { freeze }: Pick<HeldRecords<R>, 'freeze'>,
  row: R,
): Promise<Frozen | undefined> {
  if (!(await freeze(db.read(orgId), row))) return undefined;
  return db.withOrg(orgId, (tx) => registerFreezeWaiter(tx, row.id, () => freeze(tx, row)));
}
