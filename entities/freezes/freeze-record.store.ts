import type { FreezeTarget } from '../../domain/freezes';
import type { Reader, Tx } from '../database';
import { isSameKey } from '../keys/key-record.store';
import { FreezeEntity } from './freeze.entity';
import { FrozenActivityEntity } from './frozen-activity.entity';

/**
 * The wallets and keys of an activity, any of which may be frozen. Networks are left out. There are few freezes of networks, so
 * `reaching` returns all of them, and the caller compares the networks.
 */
export type FreezableIds = { readonly walletIds: readonly string[]; readonly keyIds: readonly string[] };

export type NewFreeze = Pick<FreezeEntity, 'id' | 'targetKind' | 'targetId' | 'reason' | 'createdBy' | 'userActionId'>;

type FreezePage = {
  readonly status: 'Active' | 'Released' | undefined;
  readonly targetKind: FreezeTarget | undefined;
  readonly targetId: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

type Released = Pick<FreezeEntity, 'releasedBy' | 'releaseActionId' | 'dateReleased'>;

/**
 * SQL: one of these keys, or its master key, has the public key of the frozen key "f". There are few active freezes, so
 * evaluating this condition for each freeze is cheap.
 */
const holdsKey = (keyIds: string) => `EXISTS (SELECT FROM keys f JOIN keys k ON k.org_id = f.org_id AND k.id = ANY(${keyIds})
    LEFT JOIN keys m ON m.org_id = k.org_id AND m.id = k.derived_from
    WHERE f.org_id = t.org_id AND f.id = t.target_id AND (m.id = f.id OR ${isSameKey('f', 'k')} OR ${isSameKey('f', 'm')}))`;
const KEYS_OF_WALLETS = 'SELECT key_id FROM wallets WHERE org_id = t.org_id AND id = ANY($1)';
/** SQL: a wallet of $1 has the network and the public key of the frozen wallet "w". */
const HOLDS_WALLET = `EXISTS (SELECT FROM wallets w JOIN keys f ON f.org_id = w.org_id AND f.id = w.key_id
    JOIN wallets o ON o.org_id = w.org_id AND o.id = ANY($1) AND o.network = w.network
    JOIN keys k ON k.org_id = o.org_id AND k.id = o.key_id
    WHERE w.org_id = t.org_id AND w.id = t.target_id AND ${isSameKey('f', 'k')})`;

export const freezeRecordStore = {
  /** Returns false if the target is already frozen. */
  async add(tx: Tx, freeze: NewFreeze): Promise<boolean> {
    return tx.insertOnce(FreezeEntity, { orgId: tx.orgId, version: 1, ...freeze });
  },

  async find(reader: Reader, freezeId: string): Promise<FreezeEntity | undefined> {
    return reader.row(FreezeEntity, 'WHERE t.id = $1', [freezeId]);
  },

  async standing(reader: Reader, targetKind: FreezeTarget, targetId: string): Promise<FreezeEntity | undefined> {
    return reader.row(FreezeEntity, 'WHERE t.target_kind = $1 AND t.target_id = $2 AND t.date_released IS NULL', [
      targetKind,
      targetId,
    ]);
  },

  async lock(tx: Tx, freezeId: string): Promise<FreezeEntity | undefined> {
    return tx.row(FreezeEntity, 'WHERE t.id = $1 FOR UPDATE', [freezeId]);
  },

  /**
   * The active freezes of these wallets and keys, of the organisation and of any network; oldest first. Keys with the same public
   * key are treated as one key. A freeze of a master key covers the keys that were derived from it.
   */
  async reaching(reader: Reader, { walletIds, keyIds }: FreezableIds): Promise<FreezeEntity[]> {
    return reader.rows(
      FreezeEntity,
      `WHERE t.date_released IS NULL AND (t.target_kind IN ('Organization', 'Network')
         OR (t.target_kind = 'Wallet' AND (t.target_id = ANY($1) OR ${HOLDS_WALLET}))
         OR (t.target_kind = 'Key' AND (t.target_id = ANY($2) OR ${holdsKey('$2')})))
       ORDER BY t.id`,
      [walletIds, keyIds],
    );
  },

  /** The oldest active freeze of a wallet, of its key, of its network or of the organisation. */
  async reachingWallets(reader: Reader, walletIds: readonly string[]): Promise<FreezeEntity | undefined> {
    return reader.row(
      FreezeEntity,
      `WHERE t.date_released IS NULL AND (t.target_kind = 'Organization'
         OR (t.target_kind = 'Network' AND t.target_id IN (SELECT network FROM wallets WHERE org_id = t.org_id AND id = ANY($1)))
         OR (t.target_kind = 'Wallet' AND (t.target_id = ANY($1) OR ${HOLDS_WALLET}))
         OR (t.target_kind = 'Key' AND ${holdsKey(KEYS_OF_WALLETS)}))
       ORDER BY t.id LIMIT 1`,
      [walletIds],
    );
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { status, targetKind, targetId, after, limit }: FreezePage): Promise<FreezeEntity[]> {
    return reader.rows(
      FreezeEntity,
      `WHERE ($1::text IS NULL OR (t.date_released IS NULL) = ($1 = 'Active')) AND ($2::text IS NULL OR t.target_kind = $2)
         AND ($3::text IS NULL OR t.target_id = $3 COLLATE "C") AND ($4::text IS NULL OR t.id < $4 COLLATE "C")
       ORDER BY t.id DESC LIMIT $5`,
      [status ?? null, targetKind ?? null, targetId ?? null, after ?? null, limit + 1],
    );
  },

  async release(tx: Tx, { id, version }: FreezeEntity, released: Released): Promise<void> {
    await tx.update(FreezeEntity, { id }, { ...released, version: version + 1 });
  },

  /** Records in `column` when the signer stored the freeze or the release. An existing date stays. */
  async told(tx: Tx, row: FreezeEntity, column: 'dateSignerTold' | 'dateSignerReleased'): Promise<void> {
    if (row[column] !== null) return;
    await tx.update(FreezeEntity, { id: row.id }, { [column]: await tx.clock(), version: row.version + 1 });
  },

  /**
   * Records that the activity waits for the release of the freeze. The release then wakes the activity. The caller has locked the
   * freeze.
   */
  async addWaiting(tx: Tx, freezeId: string, activityId: string): Promise<void> {
    await tx.query(
      `INSERT INTO frozen_activities (org_id, activity_id, freeze_id) VALUES ($1, $2, $3)
       ON CONFLICT (org_id, activity_id) DO UPDATE SET freeze_id = EXCLUDED.freeze_id, date_met = clock_timestamp()
       WHERE frozen_activities.freeze_id <> EXCLUDED.freeze_id`,
      [tx.orgId, activityId, freezeId],
    );
  },

  async waitingOf(reader: Reader, activityId: string): Promise<FrozenActivityEntity | undefined> {
    return reader.row(FrozenActivityEntity, 'WHERE t.activity_id = $1', [activityId]);
  },

  /** Removes the activities that wait for the release of the freeze, and returns their ids. */
  async takeWaiting(tx: Tx, freezeId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'DELETE FROM frozen_activities WHERE freeze_id = $1 RETURNING activity_id AS id',
      [freezeId],
    );
    return rows.map(({ id }) => id).sort();
  },
};
