import { CancellationScope, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ChangeStanding } from '../domain/change-requests';
import { routeOf } from '../domain/routes';
import type { ApprovalInput, ApprovalResult } from './approval.messages';
import { APPROVAL_GROUP, openGroups } from './search-keys';
import { approvalChanged } from './transfer.messages';
import { type ApprovalSteps, decisionOf, type Look } from './wait-for-approval';

type Steps = Pick<Activities, 'readHold' | 'expireHold' | 'reviewChangeRequest' | 'expireChangeRequest' | 'tellApprovers'>;

/**
 * Waits until people decide or the approval expires, and notifies approvers. The votes are in the rows. Ignores cancellation,
 * because nothing else would expire the approval.
 */
export function approval(input: ApprovalInput): Promise<ApprovalResult> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id, held, groups, deadlineMs, noticeMs }: ApprovalInput): Promise<ApprovalResult> {
  const main = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).main,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 },
    summary: 'Approval',
  });
  const wake = { approval: false };
  setHandler(approvalChanged, () => {
    wake.approval = true;
  });
  const { read, expire } = looksAt(held, id, main);
  const ask: ApprovalSteps<ApprovalResult> = {
    read: async () => shown(await read()),
    expire,
    tell: () => main.tellApprovers(held, id),
  };
  const end = await decisionOf(groups, { deadline: deadlineMs, notice: noticeMs }, wake, ask);
  setCurrentDetails(`Ended: ${end}.`);
  return end;
}

/** If the approval ends, the called activity advances the held record in the same database transaction. */
function looksAt(held: ApprovalInput['held'], id: string, main: Steps): Pick<ApprovalSteps<ApprovalResult>, 'read' | 'expire'> {
  if (!('changeRequestId' in held)) return { read: () => main.readHold(held, id), expire: () => main.expireHold(held, id) };
  return {
    read: async () => lookOf(id, await main.reviewChangeRequest(held)),
    expire: async () => lookOf(id, await main.expireChangeRequest(held, id)),
  };
}

function lookOf(approvalId: string, standing: ChangeStanding): Look<ApprovalResult> {
  if (standing.outcome === 'Ended') return { status: standing.status, groups: [] };
  return { status: standing.approvalId === approvalId ? 'Pending' : 'HeldAnew', groups: standing.groups };
}

/** Lets a search find an approval by the groups whose quorum is not met yet. */
function shown(now: Look<ApprovalResult>): Look<ApprovalResult> {
  if (now.status === 'Pending') upsertSearchAttributes([{ key: APPROVAL_GROUP, value: openGroups(now.groups) }]);
  return now;
}
