import { CancellationScope, continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { RotationActivities } from '../activities/keys/rotations';
import { NOTHING_ROTATED, type RotationProgress, rotatedSoFar } from '../domain/rotations';
import { sharedRoute } from '../domain/routes';
import { type RotateKekInput, type RotateKekResult, type RotateKekState, rotationProgress } from './rotate-kek.messages';
import { rotationDetails } from './ui-text';

const { readActiveKek, rewrapDataKeys, rewrapSignerJournal } = proxyActivities<RotationActivities>({
  taskQueue: sharedRoute.signer,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Wrap data keys under the active key-encryption key',
});

/** This bound keeps the history far below the server's limits. */
const PAGES_MAX = 100;

/**
 * Rewraps every data key under the signer's active key-encryption key. Afterwards only the refused rows still need an older key;
 * all other rows and the whole journal do not. Ignores cancellation, because an incomplete rotation has no use.
 */
export function rotateKek(input: RotateKekInput): Promise<RotateKekResult> {
  return CancellationScope.nonCancellable(() => rotate(input));
}

async function rotate({ sofar }: RotateKekInput): Promise<RotateKekResult> {
  const kekId = sofar?.kekId ?? (await readActiveKek());
  let state: RotateKekState = sofar ?? { ...NOTHING_ROTATED, kekId, doneInPass: 0 };
  setHandler(rotationProgress, () => progressOf(state));
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { after, doneInPass, ...before } = state;
    const round = await rewrapDataKeys({ kekId, ...(after === undefined ? {} : { after }) });
    // Each pass counts the refused rows from zero.
    const sums = rotatedSoFar(after === undefined ? { ...before, refused: 0 } : before, round);
    const done = doneInPass + round.done;
    state =
      round.next === undefined ? { ...sums, kekId, doneInPass: 0 } : { ...sums, kekId, doneInPass: done, after: round.next };
    setCurrentDetails(rotationDetails(`Data keys under ${kekId}`, state));
    // Rows may change after a pass has read them, so the rotation ends only after a pass that finds nothing.
    if (round.next === undefined && done === 0 && (await rewrapSignerJournal({ kekId })) === 0) {
      return { ...progressOf(state), kekId };
    }
  }
  return continueAsNew<typeof rotateKek>({ sofar: state });
}

const progressOf = ({ looked, done, refused, passes }: RotateKekState): RotationProgress => ({ looked, done, refused, passes });
