import { freezeInTheWay, meetFreeze } from '../../application/freezes/active-freezes';
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
  { reach }: Pick<HeldRecords<R>, 'reach'>,
  row: R,
): Promise<Frozen | undefined> {
  const reader = db.read(orgId);
  const reached = await reach(reader, row);
  if (!(await freezeInTheWay(reader, reached))) return undefined;
  return db.withOrg(orgId, (tx) => meetFreeze(tx, row.id, reached));
}
