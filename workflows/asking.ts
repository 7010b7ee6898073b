import { ApplicationFailure } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Ask } from '../domain/judgements';
import { type TravelRuleWake, travelRuleEnded } from './travel-rule';

type Ref = Parameters<Activities['readHold']>[0];
type Steps = {
  readonly main: Pick<Activities, 'readTravelRule' | 'failTravelRule'>;
  readonly wake: TravelRuleWake;
  readonly renew: () => Promise<void>;
};

/** Asks vendors, all of them side by side. Each ask ends, be it that its vendor failed; what that means is for the policies to say. */
export async function answered(ref: Ref, asks: readonly Ask[], steps: Steps): Promise<void> {
  await Promise.all(asks.map((ask) => answerOf(ref, ask, steps)));
}

function answerOf(ref: Ref, ask: Ask, steps: Steps): Promise<void> {
  if (ask.vendor === 'TravelRule' && 'transferId' in ref) return travelRuleEnded(ref, ask.messageId, steps);
  throw ApplicationFailure.nonRetryable(`nobody asks ${ask.vendor} about this`);
import { ActivityFailure, ApplicationFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { VENDOR_FAILURES, type VendorFailure } from '../domain/integrations';
import type { Ask } from '../domain/judgements';
import { routeOf } from '../domain/routes';

/** However often the vendor is asked meanwhile: nobody waits longer for it. */
const ASKING_LIMIT = '60 seconds';
const CALL_LIMIT = '25 seconds';
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

type Screening = Exclude<Ask, { vendor: 'TravelRule' }>;
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

/** All vendors are asked side by side; done when each of them has an answer. */
export async function answered(asks: readonly Ask[], steps: Steps): Promise<void> {
  setCurrentDetails(`Asking ${asks.map(({ vendor }) => vendor).join(' and ')}.`);
  await Promise.all(
    asks.map((ask) => {
      if (ask.vendor === 'TravelRule') throw ApplicationFailure.nonRetryable('nobody waits for a travel rule message');
      return screened(ask, steps);
    }),
  );
}
