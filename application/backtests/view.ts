import type { BacktestEntity } from '../../entities/backtests/backtest.entity';
import type { BacktestResultEntity } from '../../entities/backtests/backtest-result.entity';

export const backtestView = (row: BacktestEntity) => ({
  id: row.id,
  status: row.status,
  policyName: row.policy.name,
  ...(row.walletId === null ? {} : { walletId: row.walletId }),
  from: row.dateFrom.toISOString(),
  to: row.dateTo.toISOString(),
  ...(row.judgedUntil === null ? {} : { judgedUntil: row.judgedUntil.toISOString() }),
  counts: row.counts,
  ...(row.reason === null ? {} : { reason: row.reason }),
  dateCreated: row.dateCreated.toISOString(),
  ...(row.dateDone === null ? {} : { dateDone: row.dateDone.toISOString() }),
});
export type BacktestView = ReturnType<typeof backtestView>;

export const backtestResultView = (row: BacktestResultEntity) => ({
  activityId: row.activityId,
  date: row.dateJudged.toISOString(),
  outcome: row.outcome,
  recordedOutcome: row.recordedOutcome,
  reason: row.reason,
});
