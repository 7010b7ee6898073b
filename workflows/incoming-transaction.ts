import { CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import { answeredByScreening } from './answered-by-screening';
import type { IncomingTransactionInput } from './incoming-transaction.messages';

const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/** Reports what policies find. The transaction itself cannot be stopped. */
export function incomingTransaction(input: IncomingTransactionInput): Promise<'Judged'> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id }: IncomingTransactionInput): Promise<'Judged'> {
  const main = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).main,
    startToCloseTimeout: '30 seconds',
    retry,
    summary: 'Policy',
  });
  for (;;) {
    const judged = await main.judgeIncoming({ orgId, incomingId: id });
    if (judged.outcome === 'Judged') return 'Judged';
    setCurrentDetails(`Asking ${judged.asks.map(({ vendor }) => vendor).join(' and ')}.`);
    await Promise.all(judged.asks.map((ask) => answeredByScreening(ask, { orgId, recordId: id, main })));
  }
}
