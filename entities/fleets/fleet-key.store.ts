import type { FleetCurve } from '../../domain/fleets';
import type { Reader, Tx } from '../database';
import { FleetKeyEntity } from './fleet-key.entity';

export type NewPoolKey = Pick<FleetKeyEntity, 'curve' | 'index' | 'publicKey'>;
export type PoolCount = { readonly curve: FleetCurve; readonly state: FleetKeyEntity['state']; readonly keys: number };

export const fleetKeyStore = {
  /** Does not change keys that the group has already added. */
  async add(tx: Tx, storeId: string, groupId: string, keys: readonly NewPoolKey[]): Promise<void> {
    const columns = [keys.map(({ curve }) => curve), keys.map(({ index }) => index), keys.map(({ publicKey }) => publicKey)];
    await tx.run(
      `INSERT INTO fleet_keys (org_id, store_id, group_id, curve, index, public_key)
       SELECT $1, $2, $3, k.curve, k.index, k.public_key
       FROM unnest($4::text[], $5::integer[], $6::text[]) AS k (curve, index, public_key)
       ON CONFLICT (org_id, store_id, curve, index) DO NOTHING`,
      [tx.orgId, storeId, groupId, ...columns],
    );
  },

  /** Assigns the available key with the lowest index to the key `keyId`. Returns undefined if the pool has no such key. */
  async take(tx: Tx, storeId: string, curve: FleetCurve, keyId: string): Promise<FleetKeyEntity | undefined> {
    const row = await tx.row(
      FleetKeyEntity,
      `WHERE t.store_id = $1 AND t.curve = $2 AND t.state = 'Available' ORDER BY t.index LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [storeId, curve],
    );
    if (!row) return undefined;
    const { index } = row;
    await tx.set(FleetKeyEntity, { storeId, curve, index }, { state: 'Assigned', keyId });
    return { ...row, state: 'Assigned', keyId };
  },

  ofKey: (reader: Reader, keyId: string): Promise<FleetKeyEntity | undefined> =>
    reader.row(FleetKeyEntity, 'WHERE t.key_id = $1', [keyId]),

  ofKeys: (reader: Reader, keyIds: readonly string[]): Promise<FleetKeyEntity[]> =>
    reader.rows(FleetKeyEntity, 'WHERE t.key_id = ANY($1)', [keyIds]),

  /** The keys of the pool at these places, each once. */
  at: (reader: Reader, storeId: string, places: readonly Pick<NewPoolKey, 'curve' | 'index'>[]): Promise<FleetKeyEntity[]> =>
    reader.rows(
      FleetKeyEntity,
      `WHERE t.store_id = $1 AND (t.curve, t.index) IN (SELECT * FROM unnest($2::text[], $3::integer[])) ORDER BY t.curve, t.index`,
      [storeId, places.map(({ curve }) => curve), places.map(({ index }) => String(index))],
    ),

  /** The public keys, among these, that any store of the organisation has. */
  async known(reader: Reader, publicKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reader.select<{ readonly key: string }>(
      `SELECT public_key AS key FROM fleet_keys WHERE public_key = ANY($1)
       UNION SELECT public_key FROM keys WHERE public_key = ANY($1)`,
      [publicKeys],
    );
    return new Set(rows.map(({ key }) => key));
  },

  counts: (reader: Reader, storeId: string): Promise<PoolCount[]> =>
    reader.select(
      `SELECT curve, state, count(*)::integer AS keys FROM fleet_keys WHERE store_id = $1
       GROUP BY curve, state ORDER BY curve, state`,
      [storeId],
    ),
};
