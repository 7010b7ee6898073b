import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { count, wakeHeld } from './ends';
import type { ApprovalView } from './view';

/**
 * A withdrawal is not a vote, so the initiator need not be listed in any group. Throws `NotFound` and `ApprovalClosed`. Throws
 * `Forbidden` for any other user.
 */
export async function withdrawApproval(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  approvalId: string,
): Promise<ApprovalView> {
  const { orgId, userId } = authority.caller;
  const { view, wakeUp } = await act(db, authority, async (tx, userActionId) => {
    const row = isId('approval', approvalId) ? await approvalStore.lock(tx, approvalId) : undefined;
    if (!row) throw new AppError('NotFound', 'approval not found', { approvalId });
    if (row.initiatorId !== userId) throw new AppError('Forbidden', 'only the initiator of an activity may withdraw it');
    const { status } = row;
    if (status !== 'Pending')
      throw new AppError('ApprovalClosed', `approval is already ${status.toLowerCase()}`, { approvalId, status });
    await approvalStore.markWithdrawn(tx, approvalId, userActionId);
    const ended = await count(tx, row, 'Denied');
    return { view: ended.view, wakeUp: await wakeHeld(tx, ended.row) };
  });
  // The call is not awaited, because the end of the approval is committed. If the call fails, the relay wakes the workflow.
  void dispatcher.tryNow(orgId, wakeUp);
  return view;
}
