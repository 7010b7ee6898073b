import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';

export const watchedAddressStore = {
  /** From this block on, every movement of the subjects is recorded. */
  async noteLive(tx: Tx, network: NetworkName, subjectIds: readonly string[], fromHeight: number): Promise<void> {
    await tx.query(
      'UPDATE watched_addresses SET live_from = $3 WHERE network = $1 AND subject_id = ANY($2) AND live_from IS NULL',
      [network, subjectIds, fromHeight],
    );
  },

  /** The wallets among the subjects whose address could be used before it was watched: by another wallet, or elsewhere. */
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
