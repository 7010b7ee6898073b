import { type KeyStoreFacts, SOFTWARE_STORE, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { Reader, Tx } from '../database';
import { KeyStoreEntity } from './key-store.entity';

/** What the signer reports about one organisation. */
export type ReportedStores = { readonly n: number; readonly digest: string; readonly stores: readonly KeyStoreFacts[] };

const factsOf = ({ id: storeId, kind, name, state, isPrimary, reviewers }: KeyStoreEntity): KeyStoreFacts => ({
  ...{ storeId, kind, name, state, isPrimary },
  ...(reviewers === 1 ? {} : { reviewers }),
});

export const keyStoresStore = {
  /** All stores in the order of their addition, including removed stores. */
  async list(reader: Reader): Promise<readonly KeyStoreFacts[]> {
    const rows = await reader.rows(KeyStoreEntity, `ORDER BY t.id <> '${SOFTWARE_STORE_ID}', t.id`);
    return rows.length === 0 ? [SOFTWARE_STORE] : rows.map(factsOf);
  },

  /** False for an organisation that is not in this database. */
  async hasOrganization(reader: Reader, orgId: string): Promise<boolean> {
    return (await reader.select('SELECT 1 FROM organizations WHERE id = $1', [orgId])).length > 0;
  },

  /** Makes the rows equal to the signer's report. Returns the changed stores. */
  async see(tx: Tx, { n, digest, stores }: ReportedStores): Promise<readonly KeyStoreFacts[]> {
    const primary = stores.find(({ isPrimary }) => isPrimary)?.storeId ?? null;
    // Before the new primary store, because an organisation has at most one.
    const left = await tx.query<{ id: string }>(
      `UPDATE key_stores SET is_primary = false, n = $2, digest = $3, date_changed = clock_timestamp(),
         state = CASE WHEN id = ANY ($4) THEN state ELSE 'Removed' END
       WHERE org_id = $1 AND ((is_primary AND id IS DISTINCT FROM $5) OR (state <> 'Removed' AND id <> ALL ($4))) RETURNING id`,
      [tx.orgId, n, digest, stores.map(({ storeId }) => storeId), primary],
    );
    const seen = await tx.query<{ id: string }>(
      `INSERT INTO key_stores AS k (org_id, id, kind, name, is_primary, state, reviewers, n, digest)
       SELECT $1, r."storeId", r.kind, r.name, r."isPrimary", r.state, COALESCE(r.reviewers, 1), $2, $3
       FROM jsonb_to_recordset($4::jsonb)
         AS r ("storeId" text, kind text, name text, "isPrimary" boolean, state text, reviewers integer)
       ON CONFLICT (org_id, id) DO UPDATE SET name = EXCLUDED.name, is_primary = EXCLUDED.is_primary, state = EXCLUDED.state,
         reviewers = EXCLUDED.reviewers, n = EXCLUDED.n, digest = EXCLUDED.digest, date_changed = clock_timestamp()
       WHERE (k.name, k.is_primary, k.state, k.reviewers)
         IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.is_primary, EXCLUDED.state, EXCLUDED.reviewers) RETURNING id`,
      [tx.orgId, n, digest, JSON.stringify(stores)],
    );
    const changed = new Set([...left, ...seen].map(({ id }) => id));
    return (await keyStoresStore.list(tx)).filter(({ storeId }) => changed.has(storeId));
  },
};
