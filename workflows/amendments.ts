import { CancellationScope, continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import { type AmendmentsInput, amendmentRecorded } from './amendments.messages';
import { amendmentsDetails } from './ui-text';
import { hasGrownLong, waitForOperator } from './wait-for-operator';

/**
 * Offers the waiting amendments of an organisation to the signer, one after another. Ignores cancellation, because members
 * rely on a restriction that they have signed.
 */
export function amendments(input: AmendmentsInput): Promise<'Done'> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id }: AmendmentsInput): Promise<'Done'> {
  const { offerAmendment } = proxyActivities<Pick<Activities, 'offerAmendment'>>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Offer an amendment to the signer',
  });
  const wake = { amendment: false };
  setHandler(amendmentRecorded, () => {
    wake.amendment = true;
  });
  const renew = async (): Promise<void> => {
    if (hasGrownLong()) await continueAsNew<typeof amendments>({ orgId, id });
  };
  const ended = { InForce: 0, Refused: 0 };
  for (;;) {
    wake.amendment = false; // before the read, so that an amendment during the read is not missed
    const offered = await waitForOperator('offering an amendment', () => offerAmendment({ orgId }), renew);
    if (offered === 'NoneWaits') {
      if (wake.amendment) continue;
      return 'Done';
    }
    ended[offered] += 1;
    setCurrentDetails(amendmentsDetails(ended));
    await renew();
  }
}
