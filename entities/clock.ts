import { invariant } from '../domain/errors';
import type { Reader } from './database';

/**
 * The database's clock, for callers without a transaction. The query is sent in the same message as the caller's other reads.
 */
export async function clockOf(reader: Reader): Promise<Date> {
  const [row] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
  invariant(row, 'the database has a clock');
  return row.now;
}
