import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { BackfillActivities } from '../activities/backfills/backfill-addresses';
import { routeOf } from '../domain/routes';
import type { ScanAddressInput } from './scan-address.messages';

/** This bound keeps the history far below the server's limits. */
const ROUNDS_MAX = 200;

/** The row of the back-fill shows the next block, so no work is lost if the workflow is ended. */
export async function scanAddress({ orgId, id, routing }: ScanAddressInput): Promise<'Ended'> {
  const { network } = routing;
  const { backfillAddress } = proxyActivities<BackfillActivities>({
    taskQueue: routeOf(orgId).chain(network),
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary: `Reading earlier blocks of ${network}`,
  });
  setCurrentDetails(`Reading earlier blocks of ${network}; the row of the back-fill shows the progress.`);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { isOver, pauseMs } = await backfillAddress({ orgId, id, network });
    if (isOver) return 'Ended';
    if (pauseMs > 0) await sleep(pauseMs, { summary: 'Until the next round' });
  }
  return continueAsNew<typeof scanAddress>({ orgId, id, routing });
}
