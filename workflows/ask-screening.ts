import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { VENDOR_FAILURES, type VendorFailure } from '../domain/integrations';
import type { Ask } from '../domain/judgements';
import { routeOf } from '../domain/routes';
import type { ScreeningVendor } from '../domain/screenings';

/** However often the vendor is asked meanwhile: nobody waits longer for it. */
const ASKING_LIMIT = '60 seconds';
const CALL_LIMIT = '25 seconds';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

type Screening = Extract<Ask, { vendor: ScreeningVendor }>;
type Steps = { readonly orgId: string; readonly main: Pick<Activities, 'failScreening'> };

/** Asks the vendor until there is an answer, be it that it failed: then the row says so, and policies know what to make of it. */
export async function screened({ vendor, screeningId }: Screening, { orgId, main }: Steps): Promise<void> {
  const { screen } = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).vendor(vendor),
    startToCloseTimeout: CALL_LIMIT,
    scheduleToCloseTimeout: ASKING_LIMIT,
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

/** The word that the activity gave; where there is none it was not carried out or did not come to an end in time. */
function failureOf({ cause }: ActivityFailure): VendorFailure {
  const word = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return VENDOR_FAILURES.find((failure) => failure === word) ?? 'TimedOut';
}
