import { ActivityFailure, condition, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import type { TransferRef } from '../domain/transfer-steps';
import { isTravelRuleEnd } from '../domain/travel-rules';
import { momentInWords } from './ui-text';

/** The vendor is also polled, because a report of the vendor may be lost. */
const POLL_FIRST_MS = 30_000;
const POLL_MOST_MS = 300_000;

export type TravelRuleWake = { travelRule: boolean };

type Steps = {
  readonly main: Pick<Activities, 'readTravelRule' | 'failTravelRule'>;
  readonly wake: TravelRuleWake;
  /** Continues in a new run when this run has grown long. */
  readonly renew: () => Promise<void>;
};

const again = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

/**
 * Sends the message and waits for its end: an answer, no answer in time, or a vendor that cannot be asked. Policies decide the
 * meaning of each end.
 */
export async function travelRuleEnded(ref: TransferRef, messageId: string, { main, wake, renew }: Steps): Promise<void> {
  const taskQueue = routeOf(ref.orgId).vendor('TravelRule');
  const summary = 'Travel rule';
  const { submitTravelRule } = proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '20 seconds',
    scheduleToCloseTimeout: '60 seconds',
    retry: again,
    summary,
  });
  const { pollTravelRule } = proxyActivities<Activities>({
    taskQueue,
    startToCloseTimeout: '20 seconds',
    scheduleToCloseTimeout: '30 seconds',
    retry: { maximumAttempts: 1 },
    summary,
  });

  setCurrentDetails('Sending the travel rule message.');
  let standing = await submitTravelRule(ref, messageId).catch((error: unknown) => {
    if (!(error instanceof ActivityFailure)) throw error;
    return main.failTravelRule(ref, messageId);
  });
  for (let pauseMs = POLL_FIRST_MS; !isTravelRuleEnd(standing.state); pauseMs = Math.min(pauseMs * 2, POLL_MOST_MS)) {
    const until = momentInWords(Date.now() + standing.waitMs);
    setCurrentDetails(`Waiting for an answer to the travel rule message (${standing.state}) until ${until}.`);
    const wokenInTime = await condition(() => wake.travelRule, Math.min(standing.waitMs, pauseMs), {
      summary: `Answer to the travel rule message, until ${until}`,
    });
    wake.travelRule = false; // before the read, so that a change during the read is not missed
    standing = wokenInTime
      ? await main.readTravelRule(ref, messageId)
      : await pollTravelRule(ref, messageId).catch((error: unknown) => {
          if (!(error instanceof ActivityFailure)) throw error;
          return main.readTravelRule(ref, messageId);
        });
    await renew();
  }
}
