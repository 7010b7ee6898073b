import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HousekeepingActivities } from '../activities/housekeeping/duties';
import { sharedRoute } from '../domain/routes';
import type { HousekeepingInput, HousekeepingResult } from './housekeeping.messages';

/** This bound keeps the history far below the server's limits. */
const ROUNDS_MAX = 100;

/** Ends when every row has been checked once. */
export async function housekeeping({ duty, after, looked = 0, done = 0 }: HousekeepingInput): Promise<HousekeepingResult> {
  const { doHouseRound } = proxyActivities<HousekeepingActivities>({
    taskQueue: sharedRoute.main,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
    summary: duty,
  });
  let place = after;
  const counts = { looked, done };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const result = await doHouseRound({ duty, ...(place === undefined ? {} : { after: place }) });
    counts.looked += result.looked;
    counts.done += result.done;
    setCurrentDetails(`${counts.looked} rows checked, ${counts.done} of them handled.`);
    if (result.next === undefined) return counts;
    place = result.next;
  }
  return continueAsNew<typeof housekeeping>({ duty, ...(place === undefined ? {} : { after: place }), ...counts });
}
