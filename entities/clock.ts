import { invariant } from '../domain/errors';
import type { Reader } from './database';

/** The database's clock, for whoever has no transaction that could be asked; it travels in the message of whatever else is read. */
export async function clockOf(reader: Reader): Promise<Date> {
  const [row] = await reader.select<{ now: Date }>('SELECT clock_timestamp() AS now');
  invariant(row, 'the database has a clock');
  return row.now;
}
