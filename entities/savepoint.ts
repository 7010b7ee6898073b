import type { Tx } from './database';

/**
 * Runs a change, rolls the change back and returns its result. The caller thus learns the effects of the change, although the
 * rows stay as they were. If the change throws, the whole transaction fails.
 */
export async function takenBack<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT before_change');
  const result = await change();
  await tx.query('ROLLBACK TO SAVEPOINT before_change');
  return result;
}
