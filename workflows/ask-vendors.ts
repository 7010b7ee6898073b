import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Ask } from '../domain/judgements';
import { answeredByScreening } from './answered-by-screening';
import { atStage } from './at-stage';
import { type TravelRuleWake, travelRuleEnded } from './travel-rule';

type Ref = Parameters<Activities['readHold']>[0];
type Steps = {
  readonly main: Pick<Activities, 'readTravelRule' | 'failTravelRule' | 'failScreening'>;
  readonly wake: TravelRuleWake;
  readonly renew: () => Promise<void>;
};

/** Asks vendors, all of them side by side. Each ask ends, be it that its vendor failed; what that means is for the policies to say. */
export async function askVendors(ref: Ref, asks: readonly Ask[], steps: Steps): Promise<void> {
  setCurrentDetails(`Asking ${asks.map(({ vendor }) => vendor).join(' and ')}.`);
  // Vendors that screen answer within a minute; people of another company may take days, and that is the stage then.
  const stage = asks.some(({ vendor }) => vendor === 'TravelRule') ? 'TravelRule' : 'Screening';
  await atStage(stage, () => Promise.all(asks.map((ask) => answerOf(ref, ask, steps))));
}

function answerOf(ref: Ref, ask: Ask, steps: Steps): Promise<void> {
  if (ask.vendor !== 'TravelRule') {
    const recordId = 'transferId' in ref ? ref.transferId : ref.signatureId;
    return answeredByScreening(ask, { orgId: ref.orgId, recordId, main: steps.main });
  }
  if ('transferId' in ref) return travelRuleEnded(ref, ask.messageId, steps);
  throw ApplicationFailure.nonRetryable('only transfers tell of the people behind them');
}
