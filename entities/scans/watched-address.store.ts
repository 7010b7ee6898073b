import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import { WatchedAddressEntity } from './watched-address.entity';

/** An address that the service already knew when the first block of a scan was produced. */
export type LateAddress = { readonly subjectId: string; readonly dateAdded: Date };

export const watchedAddressStore = {
  find: (reader: Reader, subjectId: string): Promise<WatchedAddressEntity | undefined> =>
    reader.row(WatchedAddressEntity, 'WHERE t.subject_id = $1', [subjectId]),

  lock: (tx: Tx, subjectId: string): Promise<WatchedAddressEntity | undefined> =>
    tx.row(WatchedAddressEntity, 'WHERE t.subject_id = $1 FOR UPDATE', [subjectId]),

  /**
   * From this block on, every movement of the subjects is recorded. If this is the first block that the service read on the
   * network, returns the subjects that the service already knew, because they may have movements in earlier blocks. The genesis
   * block does not move funds, so for block 1 the result is empty. A block is produced at most `lagMs` after its timestamp.
   */
  async noteLive(
    tx: Tx,
    network: NetworkName,
    subjectIds: readonly string[],
    { fromHeight, lagMs }: { readonly fromHeight: number; readonly lagMs: number },
  ): Promise<LateAddress[]> {
    return tx.query(
      `WITH noted AS (
         UPDATE watched_addresses SET live_from = $3 WHERE network = $1 AND subject_id = ANY($2) AND live_from IS NULL
         RETURNING subject_id, date_added)
       SELECT n.subject_id AS "subjectId", n.date_added AS "dateAdded" FROM noted n
       JOIN scans s ON s.network = $1 AND s.first_height = $3 AND s.first_height > 1
         AND s.date_first + $4 * interval '1 millisecond' > n.date_added`,
      [network, subjectIds, fromHeight, lagMs],
    );
  },

  /** From this earlier block on, every movement of the subject is recorded. */
  async extendLive(tx: Tx, subjectId: string, fromHeight: number): Promise<void> {
    await tx.run('UPDATE watched_addresses SET live_from = least(live_from, $2) WHERE subject_id = $1', [subjectId, fromHeight]);
  },

  /**
   * Returns those subjects that are wallets with an address that another wallet, or software outside the service, could use
   * before the service watched the address.
   */
  async withOlderKeys(reader: Reader, subjectIds: readonly string[]): Promise<string[]> {
    const rows = await reader.select<{ readonly id: string }>(
      `SELECT a.subject_id AS id FROM watched_addresses a JOIN wallets w ON w.org_id = a.org_id AND w.id = a.subject_id
       JOIN keys k ON k.org_id = w.org_id AND k.id = w.key_id LEFT JOIN keys p ON p.org_id = k.org_id AND p.id = k.derived_from
       WHERE a.subject_id = ANY($1)
         AND (k.is_imported OR coalesce(p.is_imported, false) OR a.date_added > k.date_created + interval '10 minutes')`,
      [subjectIds],
    );
    return rows.map(({ id }) => id);
  },

  /** Undefined if no block has been read for the subject yet. */
  async liveFrom(reader: Reader, subjectId: string): Promise<number | undefined> {
    const [row] = await reader.select<{ height: number | null }>(
      'SELECT live_from::float8 AS height FROM watched_addresses WHERE subject_id = $1',
      [subjectId],
    );
    return row?.height ?? undefined;
  },
};
