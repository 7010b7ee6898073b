import type { Reader } from '../database';

export const deploymentStore = {
  /** Since when nothing may be changed, signed or sent; null when the deployment is at work. */
  async frozenSince(reader: Reader): Promise<Date | null> {
    const rows = await reader.select<{ dateFrozen: Date | null }>('SELECT date_frozen AS "dateFrozen" FROM deployment');
    // A deployment that does not say so is not known to be at work.
    return rows.length === 1 ? (rows[0]?.dateFrozen ?? null) : new Date(0);
  },
};
