import {
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import { type FreezeInput, freezeChanged } from './freeze.messages';
import { hasGrownLong, waitForOperator } from './wait-for-operator';

/** After this time the order to the signer is repeated, in case the signer restarted from an older state folder. */
const RETELL_MS = 3_600_000;

/**
 * Notifies the signer of a freeze and of its release. The service already enforces the freeze by the rows. The signer also
 * enforces the freeze, as a defence against an attacker who can write the rows. Ignores cancellation, because the signer must
 * also learn of the release.
 */
export function freeze(input: FreezeInput): Promise<void> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id }: FreezeInput): Promise<void> {
  const { applyFreeze } = proxyActivities<Pick<Activities, 'applyFreeze'>>({
    taskQueue: routeOf(orgId).signer,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Tell the signer',
  });
  const wake = { freeze: false };
  setHandler(freezeChanged, () => {
    wake.freeze = true;
  });
  const renew = async (): Promise<void> => {
    if (hasGrownLong()) await continueAsNew<typeof freeze>({ orgId, id });
  };
  for (;;) {
    setCurrentDetails('Telling the signer.');
    wake.freeze = false; // before the order, so that a release during the order is not missed
    const told = await waitForOperator('telling the signer', () => applyFreeze({ orgId, freezeId: id }), renew);
    if (told === 'Released') break;
    setCurrentDetails('The signer enforces the freeze. Waiting for the release.');
    await condition(() => wake.freeze, RETELL_MS, { summary: 'The release of the freeze' });
    await renew();
  }
  setCurrentDetails('Released, and the signer signs again.');
}
