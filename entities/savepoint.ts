import type { Tx } from './database';

/** Returns the result of a change that is then rolled back. If the change throws, the whole transaction fails. */
export async function takenBack<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT before_change');
  const result = await change();
  await tx.query('ROLLBACK TO SAVEPOINT before_change');
  return result;
}
