export const BACKTEST_STATUSES = ['Running', 'Done', 'Failed'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

/**
 * `judged` counts all replayed activities. The other members count the outcomes of the policy, but only for the activities to
 * which the policy applies.
 */
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
 * The outcomes that the result lists. The result omits activities to which the policy does not apply, and activities on which
 * the policy does not trigger.
 */
export const BACKTEST_OUTCOMES = ['Triggered', 'Asked', 'Blocked', 'NotKnown'] as const;
export type BacktestOutcome = (typeof BACKTEST_OUTCOMES)[number];

/** Identifies a backtest to a Temporal activity by ids only. The activity reads everything else from the rows. */
export type BacktestRef = { readonly orgId: string; readonly backtestId: string };
