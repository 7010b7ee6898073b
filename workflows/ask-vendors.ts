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

/** Waits until every vendor has answered or failed. Policies decide the meaning of a failure. */
export async function askVendors(ref: Ref, asks: readonly Ask[], steps: Steps): Promise<void> {
  setCurrentDetails(`Asking ${asks.map(({ vendor }) => vendor).join(' and ')}.`);
  // People at another company answer a travel rule message, which may take days. So an open message determines the stage.
  const stage = asks.some(({ vendor }) => vendor === 'TravelRule') ? 'TravelRule' : 'Screening';
  await atStage(stage, () => Promise.all(asks.map((ask) => answerOf(ref, ask, steps))));
}

function answerOf(ref: Ref, ask: Ask, steps: Steps): Promise<void> {
  if (ask.vendor !== 'TravelRule') {
    const recordId = 'transferId' in ref ? ref.transferId : ref.signatureId;
    return answeredByScreening(ask, { orgId: ref.orgId, recordId, main: steps.main });
  }
  if ('transferId' in ref) return travelRuleEnded(ref, ask.messageId, steps);
  throw ApplicationFailure.nonRetryable('only transfers have a travel rule message');
}
