import {
  condition,
  ParentClosePolicy,
  patched,
  setCurrentDetails,
  startChild,
  TemporalFailure,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import type { Hold } from '../domain/judgements';
import { APPROVAL, type ApprovalResult, type ApprovalWorkflow, type HeldRef } from './approval.messages';
import { childEnd } from './child-end';
import { APPROVAL_GROUP, DEADLINE, ORG_ID, openGroups, STAGE } from './search-keys';
import { approvalChanged } from './transfer.messages';
import { aheadOf, type Wake } from './wait-for-approval';

/** False for a run that started before approvals had workflows. Such a run waits for the decision itself. */
export const hasApprovalWorkflow = (): boolean => patched('approval-is-a-workflow');

/**
 * Runs the approval's workflow as a child of the held record's workflow. A vote wakes only the held record's workflow, which
 * passes each wake-up on to the child. The child ends with its parent, because a remaining child would block the id of the next
 * child.
 */
export function decidedByApproval(held: HeldRef, hold: Hold, wake: Wake): Promise<ApprovalResult | 'Lost'> {
  const { approvalId, groups } = hold;
  const { deadline, notice } = aheadOf(hold);
  const open = openGroups(groups);
  setCurrentDetails(`Held by policy: see the workflow ${approvalId}.`);
  const asked = async () => {
    const child = await startChild<ApprovalWorkflow>(APPROVAL, {
      workflowId: approvalId,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      args: [
        {
          orgId: held.orgId,
          id: approvalId,
          held,
          groups,
          ...(deadline === undefined ? {} : { deadlineMs: deadline }),
          ...(notice === undefined ? {} : { noticeMs: notice }),
        },
      ],
      typedSearchAttributes: [
        { key: ORG_ID, value: held.orgId },
        { key: STAGE, value: 'Approval' },
        ...(open.length === 0 ? [] : [{ key: APPROVAL_GROUP, value: open }]),
        ...(deadline === undefined ? [] : [{ key: DEADLINE, value: new Date(deadline) }]),
      ],
      staticSummary: `Approval of ${Object.entries(held).find(([name]) => name !== 'orgId')?.[1]}`,
    });
    const end = child.result();
    let hasEnded = false;
    const ended = () => {
      hasEnded = true;
    };
    end.then(ended, ended);
    for (;;) {
      await condition(() => wake.approval || hasEnded);
      if (hasEnded) return end;
      wake.approval = false;
      await child.signal(approvalChanged).catch(ignored);
    }
  };
  return childEnd(asked, () => wake.approval);
}

/** The child has already ended, and the child's result is about to arrive. */
function ignored(error: unknown): void {
  if (!(error instanceof TemporalFailure)) throw error;
}
