import { condition, setCurrentDetails } from '@temporalio/workflow';
import { type Frozen, isFrozen } from '../domain/freezes';
import { atStage } from './at-stage';

/** A lost wake-up must not hold a record for ever: after this time the workflow reads the rows again. */
const FREEZE_REREAD_MS = 3_600_000;

export type FreezeWake = { freeze: boolean };

/**
 * Waits for a signal or for `FREEZE_REREAD_MS`. The signal may be for a different freeze or may be lost, so the caller checks
 * again.
 */
export async function waitForRelease(freezeId: string, wake: FreezeWake): Promise<void> {
  setCurrentDetails(`**Frozen** by ${freezeId}: nothing is judged, signed or sent until it is released.`);
  await atStage('Frozen', () => condition(() => wake.freeze, FREEZE_REREAD_MS, { summary: `Frozen by ${freezeId}` }));
}

/** Runs the step again after each freeze that blocks the step. */
export async function onceThawed<T>(step: () => Promise<T | Frozen>, wake: FreezeWake, renew: () => Promise<void>): Promise<T> {
  for (;;) {
    wake.freeze = false; // before the step, so that a release during the step is not missed
    const done = await step();
    if (!isFrozen(done)) return done;
    await waitForRelease(done.frozenBy, wake);
    await renew();
  }
}
