import type { Reader, Tx } from '../database';
import { FleetEntity } from './fleet.entity';

export type ManifestHead = { readonly digest: string; readonly text: string; readonly n: number };

export const fleetStore = {
  find: (reader: Reader, storeId: string): Promise<FleetEntity | undefined> =>
    reader.row(FleetEntity, 'WHERE t.store_id = $1', [storeId]),

  /** The lock orders the groups of one store. */
  lock: (tx: Tx, storeId: string): Promise<FleetEntity | undefined> =>
    tx.row(FleetEntity, 'WHERE t.store_id = $1 FOR NO KEY UPDATE', [storeId]),

  /** Does nothing if the store already has a fleet. */
  ensure: (tx: Tx, fleet: Pick<FleetEntity, 'id' | 'storeId' | 'label'>): Promise<void> =>
    tx.ensure(FleetEntity, { orgId: tx.orgId, ...fleet }),

  /** Returns false if the manifest that `next` follows is no longer the newest. */
  async commit(tx: Tx, storeId: string, before: string | null, next: ManifestHead): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE fleets SET manifest_digest = $3, manifest = $4, n = $5, date_updated = clock_timestamp()
       WHERE store_id = $1 AND manifest_digest IS NOT DISTINCT FROM $2 RETURNING id`,
      [storeId, before, next.digest, next.text, next.n],
    );
    return rows.length > 0;
  },
};
