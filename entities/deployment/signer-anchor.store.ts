import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';

/**
 * `now` is the time by the database's clock. `anchor` is the signer's newest anchor (the short text with which the signer dates
 * signed actions), or null if it is too old.
 */
export type AnchoredNow = { readonly now: Date; readonly anchor: string | null };

export const signerAnchorStore = {
  /**
   * `ageMs` is the time since the worker queried the signer. A newer anchor stays, so a worker that was suspended after its query
   * cannot store an old anchor again. A stored date in the future is replaced, because the clock must have been set back in the
   * meantime.
   */
  async keep(tx: Tx, anchor: string, ageMs: number): Promise<void> {
    await tx.run(
      `INSERT INTO signer_anchors (anchor, date_asked) VALUES ($1, clock_timestamp() - $2::float8 * interval '1 millisecond')
       ON CONFLICT (is_only) DO UPDATE SET anchor = EXCLUDED.anchor, date_asked = EXCLUDED.date_asked
       WHERE signer_anchors.date_asked <= EXCLUDED.date_asked OR signer_anchors.date_asked > clock_timestamp()`,
      [anchor, ageMs],
    );
  },

  /** Reads both values in one statement, because every announced action needs both. `ageMsMax` limits the age of the anchor. */
  async now(reader: Reader, ageMsMax: number): Promise<AnchoredNow> {
    const [row] = await reader.select<AnchoredNow>(
      `SELECT clock_timestamp() AS now, (SELECT a.anchor FROM signer_anchors a
         WHERE a.date_asked >= clock_timestamp() - $1::float8 * interval '1 millisecond') AS anchor`,
      [ageMsMax],
    );
    invariant(row, 'the database has a clock');
    return row;
  },
};
