import { invariant } from '../domain/errors';
import type { Reader } from './database';

/**
 * The time by the database's clock. The query is sent in one message with other reads that the caller issues at the same time.
 */
export async function clockOf(reader: Reader): Promise<Date> {
  const [row] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
  invariant(row, 'the database has a clock');
  return row.now;
}
