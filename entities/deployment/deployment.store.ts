import type { DeploymentFreeze } from '../../domain/deployment-freeze';
import type { Reader } from '../database';

type Row = { readonly dateFrozen: Date | null; readonly kind: 'Restored' | 'Operator'; readonly reason: string | null };

export const deploymentStore = {
  /** Why and since when nothing may be changed, signed or sent; null when the deployment is at work. */
  async freeze(reader: Reader): Promise<DeploymentFreeze | null> {
    const rows = await reader.select<Row>('SELECT date_frozen AS "dateFrozen", freeze_kind AS kind, reason FROM deployment');
    const [row] = rows;
    // A deployment that does not say so is not known to be at work.
    if (!row || rows.length > 1) return { kind: 'Unknown', reason: null, since: null };
    return row.dateFrozen === null ? null : { kind: row.kind, reason: row.reason, since: row.dateFrozen };
  },
};
