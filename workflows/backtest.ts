import { ActivityFailure, CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { BacktestActivities } from '../activities/backtests/backtests';
import { routeOf } from '../domain/routes';
import type { BacktestInput } from './backtest.messages';

const REPLAYS_MAX = 5;

/** Plays a proposed policy over recorded activities. It holds nothing and nobody, so one that cannot be played is given up. */
export async function backtest({ orgId, id }: BacktestInput): Promise<'Played' | 'GivenUp'> {
  const taskQueue = routeOf(orgId).main;
  const ref = { orgId, backtestId: id };
  const { replayBacktest } = proxyActivities<BacktestActivities>({
    taskQueue,
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: REPLAYS_MAX },
    summary: 'Play the policy over what was recorded',
  });
  const { failBacktest } = proxyActivities<BacktestActivities>({
    taskQueue,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary: 'Give the backtest up',
  });
  return CancellationScope.nonCancellable(async () => {
    setCurrentDetails('Playing the policy over what was recorded; the row of the backtest shows how far it is.');
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
