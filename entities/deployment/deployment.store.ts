import type { DeploymentFreeze } from '../../domain/deployment-freeze';
import type { Reader } from '../database';

type Row = { readonly dateFrozen: Date | null; readonly kind: 'Restored' | 'Operator'; readonly reason: string | null };

export const deploymentStore = {
  /** Null if the deployment is not frozen. While the deployment is frozen, nothing may be changed, signed or sent. */
  async freeze(reader: Reader): Promise<DeploymentFreeze | null> {
    const rows = await reader.select<Row>('SELECT date_frozen AS "dateFrozen", freeze_kind AS kind, reason FROM deployment');
    const [row] = rows;
    // Without the row, the freeze state is unknown, so the deployment is treated as frozen.
    if (!row || rows.length > 1) return { kind: 'Unknown', reason: null, since: null };
    return row.dateFrozen === null ? null : { kind: row.kind, reason: row.reason, since: row.dateFrozen };
  },

  async isReleasedSince(reader: Reader, date: Date): Promise<boolean> {
    return (await reader.select('SELECT 1 FROM deployment WHERE date_released > $1', [date])).length > 0;
  },

  /** Undefined if the last release was longer ago than `withinMs`, or if the deployment is frozen again. */
  async released(reader: Reader, withinMs: number): Promise<Date | undefined> {
    const [row] = await reader.select<{ date: Date }>(
      `SELECT date_released AS date FROM deployment
       WHERE date_frozen IS NULL AND date_released > clock_timestamp() - $1 * interval '1 millisecond'`,
      [withinMs],
    );
    return row?.date;
  },
};
