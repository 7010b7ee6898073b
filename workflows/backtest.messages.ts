/** The workflow's type name: outbox rows and histories hold it. */
export const BACKTEST = 'backtest';

/** `id` is the backtest's id, which is also the workflow's. */
export type BacktestInput = { readonly orgId: string; readonly id: string };
