import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';

type Share = { readonly walletId: string; readonly amountUsdMicro: string | null };
type Counted = { readonly activityId: string; readonly shares: readonly Share[] };
type Windows = { readonly walletIds: readonly string[]; readonly timeframes: readonly number[]; readonly until: Date };

/** The usage of a wallet within one window of time. The amount is null if the value of an activity in the window is unknown. */
export type WindowSum = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  readonly amountUsdMicro: string | null;
};

/**
 * SQL: the moment from which minutes and hours are counted, in UTC. In a different time zone, hours may begin at a different
 * minute.
 */
const ORIGIN = `timestamptz '2000-01-01T00:00:00Z'`;

/** SQL: adds `changes` (wallet_id, at, sign, amount) to the sums of their minute and hour. */
const SUMMED = `
  summed AS (
    INSERT INTO usage_sums AS s (org_id, wallet_id, minutes, date_start, count, unknowns, amount_usd_micro)
    SELECT $1, c.wallet_id, span.minutes, date_bin(span.minutes * interval '1 minute', c.at, ${ORIGIN}),
           sum(c.sign), sum(CASE WHEN c.amount IS NULL THEN c.sign ELSE 0 END), sum(c.sign * coalesce(c.amount, 0))
    FROM changes c CROSS JOIN (VALUES (1), (60)) AS span (minutes)
    GROUP BY 2, 3, 4
    ON CONFLICT (org_id, wallet_id, minutes, date_start) DO UPDATE
      SET count = s.count + excluded.count, unknowns = s.unknowns + excluded.unknowns,
          amount_usd_micro = s.amount_usd_micro + excluded.amount_usd_micro
  )`;

/** The usage of wallets within the windows of velocity rules (P8). A caller that writes has locked the wallets with `lock`. */
export const usageStore = {
  /** By the database's clock, truncated to the milliseconds that windows use. */
  async now(reader: Reader): Promise<Date> {
    const [row] = await reader.select<{ now: Date }>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
    invariant(row, 'the database has a clock');
    return row.now;
  },

  /** All wallets are locked at once and in a fixed order, so transactions never deadlock. */
  async lock(tx: Tx, walletIds: readonly string[]): Promise<void> {
    // The first statement creates missing rows, because the second statement must lock all rows at once.
    const [, locked] = await Promise.all([
      tx.query(
        `INSERT INTO usage_lanes (org_id, wallet_id) SELECT $1, id FROM unnest($2::text[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
        [tx.orgId, walletIds],
      ),
      tx.query('SELECT 1 FROM usage_lanes WHERE org_id = $1 AND wallet_id = ANY($2) ORDER BY wallet_id FOR UPDATE', [
        tx.orgId,
        walletIds,
      ]),
    ]);
    invariant(locked.length === walletIds.length, 'the usage of a wallet can be locked');
  },

  /**
   * If the activity is counted again, the new time and value replace the earlier ones. Returns the time of the count, truncated
   * because a time that is rounded up could be ahead of the clock.
   */
  async count(tx: Tx, { activityId, shares }: Counted): Promise<Date> {
    const [counted] = await tx.query<{ now: Date }>(
      `WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now),
       changes AS (
         SELECT wallet_id, date_counted AS at, -1 AS sign, amount_usd_micro AS amount FROM usage_reservations
         WHERE org_id = $1 AND activity_id = $2 AND wallet_id = ANY($3)
         UNION ALL
         SELECT id, now, 1, amount FROM moment, unnest($3::text[], $4::text[]::numeric[]) AS share (id, amount)
       ),
       counted AS (
         INSERT INTO usage_reservations (org_id, activity_id, wallet_id, amount_usd_micro, date_counted)
         SELECT $1, $2, id, amount, now FROM moment, unnest($3::text[], $4::text[]::numeric[]) AS share (id, amount)
         ON CONFLICT (org_id, activity_id, wallet_id) DO UPDATE
           SET amount_usd_micro = excluded.amount_usd_micro, date_counted = excluded.date_counted
       ),
       ${SUMMED}
       SELECT now FROM moment`,
      [tx.orgId, activityId, shares.map(({ walletId }) => walletId), shares.map((share) => share.amountUsdMicro)],
    );
    invariant(counted, 'the database has a clock');
    return counted.now;
  },

  async walletsOf(tx: Tx, activityId: string): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT wallet_id AS id FROM usage_reservations WHERE org_id = $1 AND activity_id = $2',
      [tx.orgId, activityId],
    );
    return rows.map(({ id }) => id);
  },

  /** Removes the activity from the usage of these wallets, as if the activity had never been counted. */
  async giveBack(tx: Tx, activityId: string, walletIds: readonly string[]): Promise<void> {
    await tx.query(
      `WITH gone AS (
         DELETE FROM usage_reservations WHERE org_id = $1 AND activity_id = $2 AND wallet_id = ANY($3)
         RETURNING wallet_id, date_counted, amount_usd_micro
       ),
       changes AS (SELECT wallet_id, date_counted AS at, -1 AS sign, amount_usd_micro AS amount FROM gone),
       ${SUMMED}
       SELECT 1`,
      [tx.orgId, activityId, walletIds],
    );
  },

  /**
   * Each window begins exactly its number of minutes before `until`, and excludes its first millisecond. The query reads
   * reservations for the first minute, sums of minutes for the rest of the hour, and then sums of hours. The query has no upper
   * bound for the time, because the clock may have been set back.
   */
  windows: (reader: Reader, { walletIds, timeframes, until }: Windows): Promise<WindowSum[]> =>
    reader.select<WindowSum>(
      `SELECT w.id AS "walletId", f.minutes AS "timeframeMinutes", u.count::integer AS count,
              CASE WHEN u.unknowns > 0 THEN NULL ELSE trim_scale(u.amount)::text END AS "amountUsdMicro"
       FROM unnest($1::text[]) AS w (id)
       CROSS JOIN unnest($2::text[]::integer[]) AS f (minutes)
       CROSS JOIN LATERAL (SELECT $3::timestamptz - f.minutes * interval '1 minute' AS edge) e
       CROSS JOIN LATERAL (SELECT date_bin('1 minute', e.edge, ${ORIGIN}) + interval '1 minute' AS minute) m
       CROSS JOIN LATERAL (
         SELECT date_bin('1 hour', m.minute - interval '1 millisecond', ${ORIGIN}) + interval '1 hour' AS hour) h
       CROSS JOIN LATERAL (
         SELECT sum(p.count) AS count, sum(p.unknowns) AS unknowns, sum(p.amount) AS amount FROM (
           SELECT count(*) AS count, count(*) FILTER (WHERE r.amount_usd_micro IS NULL) AS unknowns,
                  coalesce(sum(r.amount_usd_micro), 0) AS amount
           FROM usage_reservations r
           WHERE r.wallet_id = w.id AND r.date_counted > e.edge AND r.date_counted < m.minute
           UNION ALL
           SELECT coalesce(sum(s.count), 0), coalesce(sum(s.unknowns), 0), coalesce(sum(s.amount_usd_micro), 0)
           FROM usage_sums s
           WHERE s.wallet_id = w.id AND s.minutes = 1 AND s.date_start >= m.minute AND s.date_start < h.hour
           UNION ALL
           SELECT coalesce(sum(s.count), 0), coalesce(sum(s.unknowns), 0), coalesce(sum(s.amount_usd_micro), 0)
           FROM usage_sums s
           WHERE s.wallet_id = w.id AND s.minutes = 60 AND s.date_start >= h.hour
         ) p
       ) u
       ORDER BY 1, 2`,
      [walletIds, timeframes.map(String), until],
    ),
};
