import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import { askScreening } from './ask-screening';
import type { ScreeningInput } from './screening.messages';

/** Ignores cancellation, because a cancelled run would leave the row without an answer. */
export function screening({ orgId, ...question }: ScreeningInput): Promise<void> {
  const main = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).main,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Policy',
  });
  return CancellationScope.nonCancellable(() => askScreening(question, { orgId, main }));
}
