import { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { lostGroups, type People } from '../../policy/reachability';
import { peopleNow } from './people';
import { approvalView } from './view';

/**
 * Emits one event for each approval that has become unable to reach its quorum since the last call. Returns the ids of these
 * approvals.
 */
export async function watchApprovals(tx: Tx, approvalIds: readonly string[]): Promise<string[]> {
  const people = await peopleNow(tx, tx.orgId);
  const told: string[] = [];
  for (const approvalId of approvalIds) if (await watch(tx, approvalId, people)) told.push(approvalId);
  return told;
}

async function watch(tx: Tx, approvalId: string, people: People): Promise<boolean> {
  const row = await approvalStore.lock(tx, approvalId);
  if (row?.status !== 'Pending') return false;
  const votes = await approvalStore.votes(tx, [approvalId]);
  const groups = lostGroups(row.groups, votes, people, row.activityKind);
  if (groups.length > 0 === (row.unreachableSince !== null)) return false;
  const unreachableSince = groups.length > 0 ? await tx.clock() : null;
  await tx.update(ApprovalEntity, { id: approvalId }, { unreachableSince });
  if (unreachableSince === null) return false;
  await eventStore.emit(tx, {
    kind: 'policy.approval.unreachable',
    aggregateId: approvalId,
    aggregateVersion: row.version,
    data: { approval: approvalView(row, votes), unreachableGroups: groups },
  });
  return true;
}
