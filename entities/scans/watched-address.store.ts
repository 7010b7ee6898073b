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

  /** Undefined if no block has been read for the subject yet. */
  async liveFrom(reader: Reader, subjectId: string): Promise<number | undefined> {
    const [row] = await reader.select<{ height: number | null }>(
      'SELECT live_from::float8 AS height FROM watched_addresses WHERE subject_id = $1',
      [subjectId],
    );
    return row?.height ?? undefined;
  },
};
