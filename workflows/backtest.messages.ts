/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const BACKTEST = 'backtest';

/** `id` is the backtest's id, which is also the workflow's id. */
export type BacktestInput = { readonly orgId: string; readonly id: string };
