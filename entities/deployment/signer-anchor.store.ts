import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';

/** The time by the database's clock, and the signer's newest anchor; null if no worker has asked for one within the given time. */
export type AnchoredNow = { readonly now: Date; readonly anchor: string | null };

export const signerAnchorStore = {
  /**
   * `ageMs` is the time since the signer was asked. Of several workers, the one that asked last writes last: a worker that was
   * suspended after its question brings no old anchor back. A date after now is from before the database's clock was set back.
   */
  async keep(tx: Tx, anchor: string, ageMs: number): Promise<void> {
    await tx.run(
      `INSERT INTO signer_anchors (anchor, date_asked) VALUES ($1, clock_timestamp() - $2::float8 * interval '1 millisecond')
       ON CONFLICT (is_only) DO UPDATE SET anchor = EXCLUDED.anchor, date_asked = EXCLUDED.date_asked
       WHERE signer_anchors.date_asked <= EXCLUDED.date_asked OR signer_anchors.date_asked > clock_timestamp()`,
      [anchor, ageMs],
    );
  },

  /** One statement, because every announced action reads both. */
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
