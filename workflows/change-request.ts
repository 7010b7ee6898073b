import { ActivityFailure, CancellationScope, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ChangeRef, ChangeStanding } from '../domain/change-requests';
import { routeOf } from '../domain/routes';
import { atStage } from './at-stage';
import type { ChangeRequestInput } from './change-request.messages';
import { decidedByApproval, hasApprovalWorkflow } from './decided-by-approval';
import { approvalChanged } from './transfer.messages';
import { holdDetails } from './ui-text';
import { momentIn, nextOf, untold } from './wait-for-approval';

type Ended = Extract<ChangeStanding, { outcome: 'Ended' }>;
type Held = Extract<ChangeStanding, { outcome: 'Held' }>;

/**
 * Waits for people to decide, and then applies or rejects the change. Ignores cancellation, because a cancelled change would
 * stay pending and block every other change of its record.
 */
export function changeRequest(input: ChangeRequestInput): Promise<Ended['status']> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id }: ChangeRequestInput): Promise<Ended['status']> {
  const ref: ChangeRef = { orgId, changeRequestId: id };
  const { reviewChangeRequest, expireChangeRequest, failChangeRequest, tellApprovers } = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).main,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Change of permissions or policies',
  });

  const wake = { approval: false };
  setHandler(approvalChanged, () => {
    wake.approval = true;
  });

  const decided = async (held: Held): Promise<Ended> => {
    let standing: ChangeStanding = held;
    while (standing.outcome === 'Held') {
      if (!hasApprovalWorkflow()) return decidedHere(standing);
      const end = await decidedByApproval(ref, standing, wake);
      if (end === 'Applied' || end === 'Failed' || end === 'Rejected') return { outcome: 'Ended', status: end };
      standing = await reviewChangeRequest(ref); // another approval holds the change, or the end of this approval is unknown
    }
    return standing;
  };

  /** Only for runs that started before approvals had workflows of their own. */
  const decidedHere = async (held: Held): Promise<Ended> => {
    let standing: ChangeStanding = held;
    let notice = momentIn(held.nextNoticeInMs);
    while (standing.outcome === 'Held') {
      const { approvalId, groups, rejectsItselfAfterMs }: Held = standing;
      const deadline = momentIn(rejectsItselfAfterMs);
      setCurrentDetails(holdDetails(groups, deadline));
      let next = await nextOf(() => wake.approval, { deadline, notice });
      while (next === 'Notice') {
        notice = momentIn((await tellApprovers(ref, approvalId).catch(untold)).nextNoticeInMs);
        next = await nextOf(() => wake.approval, { deadline, notice });
      }
      wake.approval = false;
      standing = next === 'Woken' ? await reviewChangeRequest(ref) : await expireChangeRequest(ref, approvalId);
      if (standing.outcome === 'Held') notice = momentIn(standing.nextNoticeInMs);
    }
    return standing;
  };

  try {
    wake.approval = false; // before the review, so that a vote during the review is not missed
    const standing = await reviewChangeRequest(ref);
    const { status } = standing.outcome === 'Held' ? await atStage('Approval', () => decided(standing)) : standing;
    setCurrentDetails(`Ended: ${status}.`);
    return status;
  } catch (error) {
    // A permanent error must not block every later change of the record.
    if (!(error instanceof ActivityFailure)) throw error;
    return await failChangeRequest(ref);
  }
}
