import { condition, setCurrentDetails } from '@temporalio/workflow';
import { type Frozen, isFrozen } from '../domain/freezes';
import { atStage } from './at-stage';

/** A lost wake-up must not hold a record for ever: after this long the rows are read again. */
const FREEZE_REREAD_MS = 3_600_000;

/** Set by the signal that reports that a freeze was released. */
export type FreezeWake = { freeze: boolean };

/**
 * Waits for the signal that a freeze was released, but at most for `FREEZE_REREAD_MS`. The signal may be for a different freeze
 * or may be lost, so the caller checks again.
 */
export async function waitForRelease(freezeId: string, wake: FreezeWake): Promise<void> {
  setCurrentDetails(`**Frozen** by ${freezeId}: nothing is judged, signed or sent until it is released.`);
  await atStage('Frozen', () => condition(() => wake.freeze, FREEZE_REREAD_MS, { summary: `Frozen by ${freezeId}` }));
}

/**
 * Runs a step. While a freeze blocks the step, waits for the release of the freeze and then runs the step again. `renew`
 * continues in a new run when this run has grown long.
 */
export async function onceThawed<T>(step: () => Promise<T | Frozen>, wake: FreezeWake, renew: () => Promise<void>): Promise<T> {
  for (;;) {
    wake.freeze = false; // before the step, so that a release during the step is not missed
    const done = await step();
    if (!isFrozen(done)) return done;
    await waitForRelease(done.frozenBy, wake);
    await renew();
  }
}
