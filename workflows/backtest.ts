import { ActivityFailure, CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { BacktestActivities } from '../activities/backtests/backtests';
import { routeOf } from '../domain/routes';
import type { BacktestInput } from './backtest.messages';

const REPLAYS_MAX = 5;

/** Nothing waits for a backtest, so a backtest that cannot be replayed simply fails. */
export async function backtest({ orgId, id }: BacktestInput): Promise<'Played' | 'GivenUp'> {
  const taskQueue = routeOf(orgId).main;
  const ref = { orgId, backtestId: id };
  const { replayBacktest } = proxyActivities<BacktestActivities>({
    taskQueue,
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: REPLAYS_MAX },
    summary: 'Replay recorded activities under the policy',
  });
  const { failBacktest } = proxyActivities<BacktestActivities>({
    taskQueue,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary: 'Mark the backtest as failed',
  });
  return CancellationScope.nonCancellable(async () => {
    setCurrentDetails('Replaying recorded activities under the policy; the row of the backtest shows the progress.');
    try {
      await replayBacktest(ref);
      return 'Played';
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      await failBacktest(ref);
      return 'GivenUp';
    }
  });
}
