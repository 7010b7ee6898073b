import type { BackfillStatus } from '../../domain/backfills';
import type { Reader, Tx } from '../database';
import type { BlockPlace } from '../scans/scan.store';
import { BackfillEntity } from './backfill.entity';

export type NewBackfill = Pick<
  BackfillEntity,
  'id' | 'subjectId' | 'network' | 'cause' | 'fromHeight' | 'fromDate' | 'joins' | 'requestedBy'
>;

/** The result of one step. `top` is stored only for the first step. */
export type BackfillStep = {
  readonly top: number;
  readonly next: BlockPlace;
  readonly found: number;
  readonly blocks: number;
  readonly unproved: number;
  readonly untraced: number;
};

export type BackfillEnd = { readonly status: Exclude<BackfillStatus, 'Running'>; readonly reason: string | null };

export const backfillStore = {
  /** Returns false if another back-fill of the subject is running. */
  add: (tx: Tx, backfill: NewBackfill): Promise<boolean> =>
    tx.insertOnce(BackfillEntity, { orgId: tx.orgId, status: 'Running', ...backfill }),

  find: (reader: Reader, id: string): Promise<BackfillEntity | undefined> => reader.row(BackfillEntity, 'WHERE t.id = $1', [id]),

  lock: (tx: Tx, id: string): Promise<BackfillEntity | undefined> => tx.row(BackfillEntity, 'WHERE t.id = $1 FOR UPDATE', [id]),

  latestOf: (reader: Reader, subjectId: string): Promise<BackfillEntity | undefined> =>
    reader.row(BackfillEntity, 'WHERE t.subject_id = $1 ORDER BY t.id DESC LIMIT 1', [subjectId]),

  async countRunning(reader: Reader): Promise<number> {
    const [row] = await reader.select<{ readonly n: number }>(
      `SELECT count(*)::integer AS n FROM backfills WHERE status = 'Running'`,
    );
    return row?.n ?? 0;
  },

  async advance(tx: Tx, id: string, { top, next, found, blocks, unproved, untraced }: BackfillStep): Promise<void> {
    await tx.run(
      `UPDATE backfills SET top = coalesce(top, $2), next_height = $3, next_hash = $4, found = found + $5, blocks = blocks + $6,
         unproved = unproved + $7, untraced = untraced + $8, failures = 0, reason = NULL
       WHERE id = $1 AND status = 'Running'`,
      [id, top, next.height, next.hash, found, blocks, unproved, untraced],
    );
  },

  async addFound(tx: Tx, id: string, found: number): Promise<void> {
    await tx.run(`UPDATE backfills SET found = found + $2 WHERE id = $1`, [id, found]);
  },

  /** Returns the number of failures in a row. */
  async noteFailure(tx: Tx, id: string, reason: string, counts: boolean): Promise<number> {
    const [row] = await tx.query<{ readonly failures: number }>(
      `UPDATE backfills SET failures = failures + $3, reason = $2 WHERE id = $1 AND status = 'Running' RETURNING failures`,
      [id, reason, counts ? 1 : 0],
    );
    return row?.failures ?? 0;
  },

  /** Does not change a back-fill that has already ended. */
  async end(tx: Tx, id: string, { status, reason }: BackfillEnd): Promise<void> {
    await tx.run(
      `UPDATE backfills SET status = $2, reason = $3, date_done = clock_timestamp() WHERE id = $1 AND status = 'Running'`,
      [id, status, reason],
    );
  },

  async endOf(tx: Tx, subjectId: string, reason: string): Promise<void> {
    await tx.run(
      `UPDATE backfills SET status = 'Stopped', reason = $2, date_done = clock_timestamp()
       WHERE subject_id = $1 AND status = 'Running'`,
      [subjectId, reason],
    );
  },
};
