import {
  ActivityFailure,
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ChangeRef, ChangeStanding } from '../domain/change-requests';
import { routeOf } from '../domain/routes';
import type { ChangeRequestInput } from './change-request.messages';
import { holdDetails, momentInWords } from './details';
import { approvalChanged } from './transfer.messages';

type Ended = Extract<ChangeStanding, { outcome: 'Ended' }>;

/**
 * Waits for people to decide about a change and has it applied, whichever way they do. Rows hold what is decided and applied; a
 * request to cancel changes nothing, because the change would stay pending and keep every other one of its record away.
 */
export function changeRequest(input: ChangeRequestInput): Promise<Ended['status']> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id }: ChangeRequestInput): Promise<Ended['status']> {
  const ref: ChangeRef = { orgId, changeRequestId: id };
  const { reviewChangeRequest, expireChangeRequest, failChangeRequest } = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).main,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Change of permissions or policies',
  });

  let woken = false;
  setHandler(approvalChanged, () => {
    woken = true;
  });

  /** Without a deadline the wait has no end; answers false when the deadline came first. */
  const wokenBefore = async (deadline: number | undefined): Promise<boolean> => {
    if (deadline !== undefined) {
      const left = Math.max(0, deadline - Date.now());
      return condition(() => woken, left, { summary: `Rejects itself at ${momentInWords(deadline)}` });
    }
    await condition(() => woken);
    return true;
  };

  try {
    woken = false; // before the look, so that a vote during it wakes us again
    let standing = await reviewChangeRequest(ref);
    while (standing.outcome === 'Held') {
      const { approvalId, groups, rejectsItselfAfterMs } = standing;
      const deadline = rejectsItselfAfterMs === undefined ? undefined : Date.now() + rejectsItselfAfterMs;
      setCurrentDetails(holdDetails(groups, deadline));
      const inTime = await wokenBefore(deadline);
      woken = false;
      standing = inTime ? await reviewChangeRequest(ref) : await expireChangeRequest(ref, approvalId);
    }
    setCurrentDetails(`Ended: ${standing.status}.`);
    return standing.status;
  } catch (error) {
    // What no retry can cure must not keep the record shut for every later change.
    if (!(error instanceof ActivityFailure)) throw error;
    return await failChangeRequest(ref);
  }
}
