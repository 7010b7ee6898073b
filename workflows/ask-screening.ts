import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { VENDOR_FAILURES, type VendorFailure } from '../domain/integrations';
import { routeOf } from '../domain/routes';
import type { VendorAsk } from './screening.messages';

/** A judgement waits at most this long, however often the vendor is asked. */
export const ASKING_LIMIT_MS = 60_000;
const CALL_LIMIT = '25 seconds';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

type Steps = { readonly orgId: string; readonly main: Pick<Activities, 'failScreening'> };

/**
 * Asks the vendor until the vendor answers or the time is over. A failure is recorded in the row, and policies decide the
 * meaning of the failure.
 */
export async function askScreening({ vendor, screeningId }: VendorAsk, { orgId, main }: Steps): Promise<void> {
  const { screen } = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).vendor(vendor),
    startToCloseTimeout: CALL_LIMIT,
    scheduleToCloseTimeout: ASKING_LIMIT_MS,
    retry,
    summary: `Ask ${vendor}`,
  });
  try {
    await screen({ orgId, screeningId });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await main.failScreening({ orgId, screeningId, failure: failureOf(error) });
  }
}

/** `TimedOut` if the activity reported no failure, because the activity did not run or did not end in time. */
function failureOf({ cause }: ActivityFailure): VendorFailure {
  const word = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return VENDOR_FAILURES.find((failure) => failure === word) ?? 'TimedOut';
}
