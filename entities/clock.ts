import { invariant } from '../domain/errors';
import type { Reader } from './database';

/** The database's clock, for callers without a transaction of their own; it travels in the message of the other reads. */
export async function clockOf(reader: Reader): Promise<Date> {
  const [row] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
  invariant(row, 'the database has a clock');
  return row.now;
}
