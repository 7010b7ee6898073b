import { PAYMENT_KINDS } from '../../domain/movements';
import type { Reader, Tx } from '../database';
import { BalanceDifferenceEntity } from './balance-difference.entity';
import { BalanceSweepEntity } from './balance-sweep.entity';

export type KeptReading = Pick<BalanceSweepEntity, 'subjectId' | 'height' | 'units' | 'untraced' | 'reversals'>;
/** The blocks after `after`, up to `upTo`. */
export type BlockRange = { readonly subjectId: string; readonly after: number; readonly upTo: number };
/**
 * `units` is the sum of the incoming movements less the outgoing movements. `fees` is the sum of the fees that the address paid
 * in the native asset.
 */
export type SumOfMovements = {
  readonly subjectId: string;
  readonly contract: string;
  readonly units: string;
  readonly fees: string;
};
export type NewDifference = Omit<BalanceDifferenceEntity, 'orgId' | 'repeats' | 'lastHeight' | 'dateFound'>;

/**
 * An asset with this many differences within `TOLD_WITHIN` gets no further row, because its balance evidently changes without
 * movements.
 */
const TOLD_MAX = 3;
const TOLD_WITHIN = '30 days';

export const balanceSweepStore = {
  /**
   * Locks the active subjects until the transaction ends. Returns for each of them the block from which on its
   * movements are complete.
   */
  async lock(tx: Tx, subjectIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.query<{ readonly id: string; readonly liveFrom: number }>(
      `SELECT subject_id AS id, live_from::float8 AS "liveFrom" FROM watched_addresses
       WHERE org_id = $1 AND subject_id = ANY($2) AND is_active AND live_from IS NOT NULL ORDER BY subject_id FOR NO KEY UPDATE`,
      [tx.orgId, subjectIds],
    );
    return new Map(rows.map(({ id, liveFrom }) => [id, liveFrom]));
  },

  readings: (tx: Tx, subjectIds: readonly string[]): Promise<BalanceSweepEntity[]> =>
    tx.rows(BalanceSweepEntity, 'WHERE t.org_id = $1 AND t.subject_id = ANY($2)', [tx.orgId, subjectIds]),

  moved: (tx: Tx, ranges: readonly BlockRange[]): Promise<SumOfMovements[]> =>
    tx.query<SumOfMovements>(
      `SELECT r."subjectId", coalesce(m.contract, '') AS contract, coalesce(sum(m.fee_units), 0)::text AS fees,
         coalesce(sum(CASE m.direction WHEN 'In' THEN m.amount_units ELSE -m.amount_units END), 0)::text AS units
       FROM jsonb_to_recordset($2::jsonb) AS r ("subjectId" text, after bigint, "upTo" bigint)
       JOIN movements m ON m.org_id = $1 AND m.subject_id = r."subjectId" AND m.block_height > r.after AND m.block_height <= r."upTo"
       WHERE m.status <> 'Withdrawn' AND m.kind = ANY($3) GROUP BY 1, 2`,
      [tx.orgId, JSON.stringify(ranges), PAYMENT_KINDS],
    ),

  async keep(tx: Tx, readings: readonly KeptReading[]): Promise<void> {
    await tx.query(
      `INSERT INTO balance_sweeps (org_id, subject_id, height, units, untraced, reversals)
       SELECT $1, "subjectId", height, units, untraced, reversals
       FROM jsonb_to_recordset($2::jsonb) AS r ("subjectId" text, height bigint, units jsonb, untraced bigint, reversals integer)
       ON CONFLICT (org_id, subject_id) DO UPDATE SET height = EXCLUDED.height, units = EXCLUDED.units, untraced = EXCLUDED.untraced,
         reversals = EXCLUDED.reversals, date_read = EXCLUDED.date_read`,
      [tx.orgId, JSON.stringify(readings)],
    );
  },

  /** The balances of the subjects are read again after this number of minutes. */
  async putOff(tx: Tx, subjectIds: readonly string[], minutes: number): Promise<void> {
    await tx.query(
      `UPDATE watched_addresses SET date_sweep_due = clock_timestamp() + $3 * interval '1 minute'
       WHERE org_id = $1 AND subject_id IN (
         SELECT subject_id FROM watched_addresses WHERE org_id = $1 AND subject_id = ANY($2) ORDER BY subject_id FOR NO KEY UPDATE)`,
      [tx.orgId, subjectIds, minutes],
    );
  },

  /** The balances of the subjects are read again after this number of minutes at the latest. */
  async hasten(tx: Tx, subjectIds: readonly string[], minutes: number): Promise<void> {
    if (subjectIds.length === 0) return;
    await tx.query(
      `UPDATE watched_addresses SET date_sweep_due = clock_timestamp() + $3 * interval '1 minute'
       WHERE org_id = $1 AND subject_id IN (
         SELECT subject_id FROM watched_addresses WHERE org_id = $1 AND subject_id = ANY($2)
           AND date_sweep_due > clock_timestamp() + $3 * interval '1 minute' ORDER BY subject_id FOR NO KEY UPDATE)`,
      [tx.orgId, [...new Set(subjectIds)], minutes],
    );
  },

  /**
   * Writes the difference as a separate row, or counts it on an earlier row of the asset. Returns whether the difference has a
   * separate row.
   */
  async tell(tx: Tx, { subjectId, contract, toHeight, ...told }: NewDifference): Promise<boolean> {
    const [earlier] = await tx.query<{ readonly count: number; readonly last: string }>(
      `SELECT count(*)::integer AS count, max(to_height)::text AS last FROM balance_differences
       WHERE org_id = $1 AND subject_id = $2 AND contract = $3 AND date_found > clock_timestamp() - interval '${TOLD_WITHIN}'`,
      [tx.orgId, subjectId, contract],
    );
    if (earlier && earlier.count >= TOLD_MAX) {
      await tx.query(
        `UPDATE balance_differences SET repeats = repeats + 1, last_height = $5
         WHERE org_id = $1 AND subject_id = $2 AND contract = $3 AND to_height = $4`,
        [tx.orgId, subjectId, contract, earlier.last, toHeight],
      );
      return false;
    }
    await tx.query(
      `INSERT INTO balance_differences (org_id, subject_id, contract, to_height, last_height, from_height, network, expected_units, found_units, cause)
       VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9)`,
      [
        ...[tx.orgId, subjectId, contract, toHeight],
        ...[told.fromHeight, told.network, told.expectedUnits, told.foundUnits, told.cause],
      ],
    );
    return true;
  },

  differencesOf: (reader: Reader, subjectId: string): Promise<BalanceDifferenceEntity[]> =>
    reader.rows(BalanceDifferenceEntity, 'WHERE t.subject_id = $1 ORDER BY t.to_height, t.contract', [subjectId]),

  /** The number of differences of the subject, and the block of the last difference. Undefined if there is no difference. */
  async summaryOf(
    reader: Reader,
    subjectId: string,
  ): Promise<{ readonly count: number; readonly lastHeight: number } | undefined> {
    const [row] = await reader.select<{ readonly count: number; readonly lastHeight: number | null }>(
      `SELECT coalesce(sum(1 + repeats), 0)::float8 AS count, max(last_height)::float8 AS "lastHeight" FROM balance_differences
       WHERE subject_id = $1`,
      [subjectId],
    );
    return row === undefined || row.lastHeight === null ? undefined : { count: row.count, lastHeight: row.lastHeight };
  },
};
