/** Outbox rows and histories contain the name, so the name must not change. */
export const BACKTEST = 'backtest';

/** `id` is the id of the backtest and of the workflow. */
export type BacktestInput = { readonly orgId: string; readonly id: string };
