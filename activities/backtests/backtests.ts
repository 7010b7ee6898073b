import { Context } from '@temporalio/activity';
import { failBacktest, replayBacktest } from '../../application/backtests/replay';
import type { BacktestRef } from '../../domain/backtests';
import type { Database } from '../../entities/database';

/** The interval must stay well below the heartbeat time-out that the workflow sets. */
const HEARTBEAT_MS = 3_000;

export function createBacktestActivities({ db }: { readonly db: Database }) {
  return {
    /** Does nothing if the backtest has already ended. */
    async replayBacktest(ref: BacktestRef): Promise<void> {
      const context = Context.current();
      const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      try {
        await replayBacktest(db, ref);
      } finally {
        clearInterval(heart);
      }
    },

    async failBacktest(ref: BacktestRef): Promise<void> {
      await failBacktest(db, ref, 'The service could not continue this backtest');
    },
  };
}

export type BacktestActivities = ReturnType<typeof createBacktestActivities>;
