import { condition, setCurrentDetails } from '@temporalio/workflow';
import { atStage } from './at-stage';
import type { FreezeWake } from './wait-for-release';

/**
 * A lost wake-up must not hold a record for ever: after this time the workflow judges the request again. That is a whole judgement,
 * and thousands of requests can wait for weeks.
 */
const OFFLINE_REREAD_MS = 86_400_000;
const DETAILS =
  '**Waits for an offline device**: the next group of signatures carries it there. It keeps its place and its claims meanwhile.';

/** `freeze` also wakes a request that is aborted. */
export type DeviceWake = FreezeWake & { offline: boolean };

/** Runs the step again after each change at the offline store, until the step no longer waits for a device. */
export async function onceCarried<T>(
  step: () => Promise<T | 'Offline'>,
  wake: DeviceWake,
  renew: () => Promise<void>,
): Promise<T> {
  for (;;) {
    wake.offline = false; // before the step, so that signatures that arrive during the step are not missed
    const done = await step();
    if (done !== 'Offline') return done;
    setCurrentDetails(DETAILS);
    await atStage('OfflineSigning', () =>
      condition(() => wake.offline || wake.freeze, OFFLINE_REREAD_MS, { summary: 'Signature of an offline device' }),
    );
    await renew();
  }
}
