export const BACKTEST_STATUSES = ['Running', 'Done', 'Failed'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

/** `judged` counts all replayed activities. The other members count only the activities to which the policy applies. */
export type BacktestCounts = {
  readonly judged: number;
  readonly passed: number;
  readonly triggered: number;
  readonly asked: number;
  readonly blocked: number;
  readonly notKnown: number;
};

export const NO_COUNTS: BacktestCounts = { judged: 0, passed: 0, triggered: 0, asked: 0, blocked: 0, notKnown: 0 };

/**
 * The outcomes that the result lists. The result omits activities to which the policy does not apply, and activities that do not
 * trigger it.
 */
export const BACKTEST_OUTCOMES = ['Triggered', 'Asked', 'Blocked', 'NotKnown'] as const;
export type BacktestOutcome = (typeof BACKTEST_OUTCOMES)[number];

export type BacktestRef = { readonly orgId: string; readonly backtestId: string };
