import type { Tx } from './database';

/**
 * Runs a change, rolls it back and returns its result, so that a caller can read the effects of a change without making it. If
 * the change throws, the whole transaction fails.
 */
export async function takenBack<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT before_change');
  const result = await change();
  await tx.query('ROLLBACK TO SAVEPOINT before_change');
  return result;
}
