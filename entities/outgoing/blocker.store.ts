import type { Blocker } from '../../domain/waiting-stages';
import type { Tx } from '../database';

export type BlockedRecord = { readonly table: 'transfers' | 'signatures'; readonly id: string };

export const blockerStore = {
  /** Records a hindrance. The version of the request stays the same. An unchanged hindrance keeps its start time. */
  async note(tx: Tx, { table, id }: BlockedRecord, { kind, detail }: Pick<Blocker, 'kind' | 'detail'>): Promise<void> {
    await tx.query(
      `UPDATE ${table} SET hindrance = jsonb_build_object('kind', $3::text, 'version', version,
         'detail', $4::text, 'since', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       WHERE org_id = $1 AND id = $2
         AND (hindrance ->> 'kind', hindrance ->> 'version', hindrance ->> 'detail')
           IS DISTINCT FROM ($3::text, version::text, $4::text)`,
      [tx.orgId, id, kind, detail],
    );
  },

  /** Removes the hindrance of the transfer or signature request with this id. */
  async clear(tx: Tx, id: string): Promise<void> {
    for (const table of ['transfers', 'signatures']) {
      await tx.query(`UPDATE ${table} SET hindrance = NULL WHERE org_id = $1 AND id = $2 AND hindrance IS NOT NULL`, [
        tx.orgId,
        id,
      ]);
    }
  },
};
