import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';

type Share = { readonly walletId: string; readonly amountUsdMicro: string | null };
type Counted = { readonly activityId: string; readonly shares: readonly Share[] };
type Windows = { readonly walletIds: readonly string[]; readonly timeframes: readonly number[]; readonly until: Date };

/** The usage of one window by one wallet. The amount is null if the value of an activity in the window is unknown. */
export type WindowSum = {
  readonly walletId: string;
  readonly timeframeMinutes: number;
  readonly count: number;
  readonly amountUsdMicro: string | null;
};

/**
 * SQL: the moment from which minutes and hours are counted. The moment is in UTC, because an hour in the time zone of the
 * session may begin at another minute.
 */
const ORIGIN = `timestamptz '2000-01-01T00:00:00Z'`;

/** SQL: adds the rows of `changes` (wallet_id, at, sign, amount) to the sums of their minute and of their hour. */
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

/**
 * The usage of wallets within the windows of velocity rules (P8). The caller of a write has locked these wallets with `lock`.
 */
export const usageStore = {
  /** The current time by the database's clock, truncated to the milliseconds that windows use. */
  async now(reader: Reader): Promise<Date> {
    const [row] = await reader.select<{ now: Date }>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
    invariant(row, 'the database has a clock');
    return row.now;
  },

  /**
   * Locks the usage of these wallets until the transaction ends. All wallets are locked at once and in a fixed order, so that
   * transactions never deadlock.
   */
  async lock(tx: Tx, walletIds: readonly string[]): Promise<void> {
    // Missing rows are created first, so that one statement can take all locks. Queries of the caller that are sent in the same
    // message run after that statement, and so under the locks.
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
   * Adds an activity with the current time to the usage of each of these wallets. If the activity was counted before, this
   * function replaces the earlier time and value. Returns the time of the count, truncated to milliseconds, because a time that
   * is rounded up could be ahead of the clock.
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

  /** The wallets for which an activity is counted. */
  async walletsOf(tx: Tx, activityId: string): Promise<readonly string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT wallet_id AS id FROM usage_reservations WHERE org_id = $1 AND activity_id = $2',
      [tx.orgId, activityId],
    );
    return rows.map(({ id }) => id);
  },

  /** Removes the activity from all windows, as if it had never been counted. */
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
   * The usage of each wallet in each window. The numbers in `timeframes` are lengths in minutes. A window begins one of these
   * lengths before `until`, to the millisecond. An activity at exactly this beginning is outside the window. For the first
   * minute of the window, the query reads single reservations. For the rest of the hour of that minute, the query reads sums of
   * minutes. For all later hours, the query reads sums of hours. The query has no upper bound of time, so that no activity is
   * missing if the clock was set back.
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
