import { registerFreezeWaiter } from '../../application/freezes/active-freezes';
import type { Frozen } from '../../domain/freezes';
import type { Database } from '../../entities/database';
import type { HeldRecords, HeldRow } from './held-records';

/**
 * The freeze that is in the way of a step behind the judgement, which its record waits for from now on. Looked up without a
 * transaction, because nearly always there is none.
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
