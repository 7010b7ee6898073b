import {
  CancellationScope,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RotationActivities } from '../activities/keys/rotations';
import { NOTHING_ROTATED, type RotationRound, rotatedSoFar } from '../domain/rotations';
import { sharedRoute } from '../domain/routes';
import type { RotateDekInput, RotateDekResult, RotateDekState } from './rotate-dek.messages';
import { rotationProgress } from './rotate-kek.messages';
import { rotationDetails } from './ui-text';

const { listKeyOwners, renewDataKey, resealKeys } = proxyActivities<RotationActivities>({
  taskQueue: sharedRoute.signer,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Seal keys under a new data key',
});

/** This bound keeps the history far below the server's limits. */
const STEPS_MAX = 200;

/**
 * Gives organisations a new data key and reseals their keys, until a pass finds nothing more to do. The old data key can still
 * open rows until an operator destroys that key. Ignores cancellation, because an incomplete rotation has no use.
 */
export function rotateDek(input: RotateDekInput): Promise<RotateDekResult> {
  return CancellationScope.nonCancellable(() => rotate(input));
}

async function rotate({ orgId, sofar }: RotateDekInput): Promise<RotateDekResult> {
  const rotationId = workflowInfo().firstExecutionRunId;
  let state: RotateDekState = sofar ?? { ...NOTHING_ROTATED, organizations: 0, queue: [], doneInPass: 0, refusedBefore: 0 };
  setHandler(rotationProgress, () => progressOf(state));
  if (!sofar) state = { ...state, queue: orgId === undefined ? await listKeyOwners({}) : [orgId] };

  let steps = 0;
  for (let [owner] = state.queue; owner !== undefined; [owner] = state.queue) {
    if (steps >= STEPS_MAX) return continueAsNew<typeof rotateDek>({ ...(orgId === undefined ? {} : { orgId }), sofar: state });
    await renewDataKey({ orgId: owner, rotationId });
    let isIdle = false;
    while (!isIdle && steps < STEPS_MAX) {
      const { after } = state;
      const round = await resealKeys({ orgId: owner, ...(after === undefined ? {} : { after }) });
      steps += 1;
      isIdle = round.next === undefined && state.doneInPass + round.done === 0;
      state = behind(state, round, isIdle);
      setCurrentDetails(rotationDetails(`Keys of ${owner}`, state));
    }
    if (!isIdle) continue;
    const rest = state.queue.slice(1);
    const queue = rest.length > 0 || orgId !== undefined ? rest : await listKeyOwners({ after: owner });
    state = { ...state, organizations: state.organizations + 1, queue };
  }
  return { ...progressOf(state), organizations: state.organizations };
}

/**
 * During a pass new keys may still be sealed under the old data key, so the rotation ends only after a pass that finds nothing.
 */
function behind({ after: _, ...state }: RotateDekState, round: RotationRound, isIdle: boolean): RotateDekState {
  const sums = rotatedSoFar(state, round);
  if (round.next !== undefined) return { ...state, ...sums, doneInPass: state.doneInPass + round.done, after: round.next };
  // The next pass visits the refused rows of this organisation again, so their earlier count is dropped.
  const refused = isIdle ? sums.refused : state.refusedBefore;
  return { ...state, ...sums, refused, refusedBefore: refused, doneInPass: 0 };
}

const progressOf = ({ looked, done, refused, passes }: RotateDekState) => ({ looked, done, refused, passes });
