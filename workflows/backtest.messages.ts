/** The workflow's type name: it stands in outbox rows and histories. */
export const BACKTEST = 'backtest';

/** `id` is the backtest's id, which is also the workflow's. */
export type BacktestInput = { readonly orgId: string; readonly id: string };
