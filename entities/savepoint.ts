import type { Tx } from './database';

/** Tries a change and rolls it back. An error of the change ends the whole transaction. */
export async function takenBack<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT before_change');
  const result = await change();
  await tx.query('ROLLBACK TO SAVEPOINT before_change');
  return result;
}
