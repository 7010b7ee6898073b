import type { BacktestCounts } from '../../domain/backtests';
import type { Reader, Tx } from '../database';
import { BacktestEntity } from './backtest.entity';
import { BacktestResultEntity } from './backtest-result.entity';

type NewBacktest = Pick<BacktestEntity, 'id' | 'policy' | 'walletId' | 'dateFrom' | 'dateTo' | 'requestedBy' | 'counts'>;
type Progress = { readonly counts: BacktestCounts; readonly judgedUntil: Date };
type Period = { readonly activityKind: string; readonly to: Date; readonly limit: number };
type Behind = { readonly date: Date; readonly id: string };
export type ResultPage = { readonly backtestId: string; readonly after: string | undefined; readonly limit: number };

export type FirstVerdict = Behind & { readonly activityId: string; readonly outcome: string; readonly facts: unknown };
export type BacktestResult = Omit<BacktestResultEntity, 'orgId' | 'backtestId'>;

export const backtestStore = {
  /** Returns false if another backtest of the organisation is running. */
  async add(tx: Tx, backtest: NewBacktest): Promise<boolean> {
    return tx.insertOnce(BacktestEntity, { orgId: tx.orgId, status: 'Running', ...backtest });
  },

  async find(reader: Reader, id: string): Promise<BacktestEntity | undefined> {
    return reader.row(BacktestEntity, 'WHERE t.id = $1', [id]);
  },

  /** Keeps a stored result, because a repeated replay of the same activity computes the same result. */
  async note(tx: Tx, id: string, { counts, judgedUntil }: Progress, results: readonly BacktestResult[]): Promise<void> {
    await tx.query(
      `INSERT INTO backtest_results (org_id, backtest_id, id, activity_id, date_judged, outcome, recorded_outcome, reason)
       SELECT $1, $2, r.* FROM jsonb_to_recordset($3::jsonb) AS r (id text, "activityId" text, "dateJudged" timestamptz, outcome text, "recordedOutcome" text, reason text)
       ON CONFLICT DO NOTHING`,
      [tx.orgId, id, JSON.stringify(results)],
    );
    await tx.query(
      `UPDATE backtests SET counts = $3, judged_until = $4 WHERE org_id = $1 AND id = $2 AND status = 'Running' RETURNING id`,
      [tx.orgId, id, JSON.stringify(counts), judgedUntil],
    );
  },

  /** Does not change a backtest that has already ended. */
  async end(tx: Tx, id: string, status: 'Done' | 'Failed', reason: string | null): Promise<void> {
    await tx.query(
      `UPDATE backtests SET status = $3, reason = $4, date_done = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND status = 'Running' RETURNING id`,
      [tx.orgId, id, status, reason],
    );
  },

  /** Oldest activity first, plus one row if there is a next page. */
  async results(reader: Reader, { backtestId, after, limit }: ResultPage): Promise<BacktestResultEntity[]> {
    return reader.rows(
      BacktestResultEntity,
      'WHERE t.backtest_id = $1 AND ($2::text IS NULL OR t.id > $2) ORDER BY t.id LIMIT $3',
      [backtestId, after ?? null, limit + 1],
    );
  },

  /** The first verdict of each activity of this kind, after the position (`date`, `id`) and before `to`. Oldest first. */
  async firstVerdicts(reader: Reader, { date, id }: Behind, { activityKind, to, limit }: Period): Promise<FirstVerdict[]> {
    return reader.select(
      `SELECT t.id, t.activity_id AS "activityId", t.outcome, t.facts - 'envelope' AS facts, t.date_created AS date FROM verdicts t
       WHERE t.activity_kind = $1 AND (t.date_created, t.id) > ($2::timestamptz, $3) AND t.date_created < $4
         AND NOT EXISTS (SELECT FROM verdicts e WHERE e.org_id = t.org_id AND e.activity_id = t.activity_id AND e.id < t.id)
       ORDER BY t.date_created, t.id LIMIT $5`,
      [activityKind, date, id, to, limit],
    );
  },
};
