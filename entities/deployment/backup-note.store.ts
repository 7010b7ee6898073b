import type { Reader } from '../database';
import { asOwner } from './as-owner';

/**
 * The SQLSTATE with which Postgres refuses a query for a missing column. The schema of an earlier release may lack a column.
 */
const UNDEFINED_COLUMN = '42703';
const isUndefinedColumn = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNDEFINED_COLUMN;

export const backupNoteStore = {
  /**
   * Records a backup of the rows as of `dateBegun`. Returns false if the schema is from an earlier release and has no column
   * for the date. A backup just before an upgrade meets such a schema.
   */
  note: (ownerUrl: string, dateBegun: Date): Promise<boolean> =>
    asOwner(ownerUrl, async (client) => {
      try {
        await client.query('UPDATE deployment SET date_backed_up = GREATEST(date_backed_up, $1::timestamptz)', [dateBegun]);
        return true;
      } catch (error) {
        if (isUndefinedColumn(error)) return false;
        throw error;
      }
    }),

  /** Seconds since the start of the last backup or, without a backup, since the deployment was founded. */
  async ageSeconds(reader: Reader): Promise<number> {
    const [row] = await reader.select<{ age: number }>(
      'SELECT extract(epoch FROM clock_timestamp() - COALESCE(date_backed_up, date_founded))::float8 AS age FROM deployment',
    );
    if (!row) throw new Error('The database does not identify its deployment');
    return row.age;
  },
};
