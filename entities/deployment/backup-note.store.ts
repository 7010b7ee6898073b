import { auditEntryStore } from '../audit-logs/audit-entry.store';
import type { Reader } from '../database';
import { inOwnerTransaction } from './as-owner';

/** The SQLSTATE for a missing column. The schema of an earlier release lacks `date_backed_up`. */
const UNDEFINED_COLUMN = '42703';
const isUndefinedColumn = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNDEFINED_COLUMN;

export const backupNoteStore = {
  /**
   * Records a backup of the rows as of `dateBegun`. Returns false if the schema is from an earlier release and lacks the column.
   */
  async note(ownerUrl: string, dateBegun: Date): Promise<boolean> {
    try {
      await inOwnerTransaction(ownerUrl, async (client) => {
        await client.query('UPDATE deployment SET date_backed_up = GREATEST(date_backed_up, $1::timestamptz)', [dateBegun]);
        await auditEntryStore.commandOnAll(client, 'backup', { dateBegun: dateBegun.toISOString() });
      });
      return true;
    } catch (error) {
      if (isUndefinedColumn(error)) return false;
      throw error;
    }
  },

  /** The age of the last backup, measured from its start or, without a backup, from the founding of the deployment. */
  async ageSeconds(reader: Reader): Promise<number> {
    const [row] = await reader.select<{ age: number }>(
      'SELECT extract(epoch FROM clock_timestamp() - COALESCE(date_backed_up, date_founded))::float8 AS age FROM deployment',
    );
    if (!row) throw new Error('The database does not identify its deployment');
    return row.age;
  },
};
