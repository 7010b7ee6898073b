import type { ApprovalStatus, Vote } from '../../domain/approvals';
import { invariant } from '../../domain/errors';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import { clockOf } from '../../entities/clock';
import type { Reader, Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { policyStore } from '../../entities/policies/policy.store';
import { areStillAsked, type GroupStanding, standingsOf, voteOutcome } from '../../policy/approvals';
import { type ApprovalView, approvalView } from './view';

/** `reason` is null for a pending or approved approval. */
export type ApprovalStanding = {
  readonly status: ApprovalStatus;
  readonly groups: readonly GroupStanding[];
  readonly reason: string | null;
};

export async function readApprovalOutcome(reader: Reader, approvalId: string): Promise<ApprovalStanding> {
  const row = await approvalStore.find(reader, approvalId);
  invariant(row, 'the approval of a held activity exists');
  const votes = await approvalStore.votes(reader, [approvalId]);
  const groups = standingsOf(row.groups, votes, await clockOf(reader));
  return { status: row.status, groups, reason: reasonOf(row, votes) };
}

/**
 * Ends the approval if the votes or changed policies decide the outcome. If a policy no longer contains a group of the
 * approval, the approval is denied. Removing a group must not be a way to approve the activity.
 */
export async function reviewApproval(tx: Tx, approvalId: string): Promise<ApprovalStanding> {
  const row = await approvalStore.lock(tx, approvalId);
  invariant(row, 'the approval of a held activity exists');
  await settleApproval(tx, row);
  return readApprovalOutcome(tx, approvalId);
}

/**
 * Idempotent. Does nothing if the approval has already ended. The workflow's timer has already determined that the approval has
 * expired, so this function does not compare the time again.
 */
export async function expireApproval(tx: Tx, approvalId: string): Promise<ApprovalStanding> {
  const expired = await approvalStore.advance(tx, approvalId, 'Expired');
  if (expired) await tellResolved(tx, expired, approvalView(expired, await approvalStore.votes(tx, [approvalId])));
  return readApprovalOutcome(tx, approvalId);
}

/** Ends a locked approval if its votes or its policies decide the outcome. */
export async function settleApproval(tx: Tx, row: ApprovalEntity): Promise<ApprovalEntity> {
  if (row.status !== 'Pending') return row;
  const votes = await approvalStore.votes(tx, [row.id]);
  const outcome = (await isStillAsked(tx, row)) ? voteOutcome(row.groups, votes, await tx.clock()) : 'Denied';
  return outcome === 'Pending' ? row : (await count(tx, row, outcome)).row;
}

/** The approval must be locked and pending. */
export async function count(tx: Tx, { id }: ApprovalEntity, outcome: 'Pending' | 'Approved' | 'Denied') {
  const row = await approvalStore.advance(tx, id, outcome);
  invariant(row, 'the approval is locked and pending');
  const view = approvalView(row, await approvalStore.votes(tx, [id]));
  if (outcome !== 'Pending') await tellResolved(tx, row, view);
  return { row, view };
}

/**
 * Queues the signal that wakes the workflow of the held activity. To wake the workflow at once, the caller can pass the result
 * to `tryNow` of the dispatcher.
 */
export async function wakeHeld(tx: Tx, { id, activityId, version }: ApprovalEntity): Promise<Dispatch> {
  const wakeUp: Dispatch = {
    kind: 'signal',
    aggregateId: activityId,
    dedupeKey: `approvalChanged:${id}:${version}`,
    routing: { signal: 'approvalChanged' },
  };
  await outboxStore.add(tx, wakeUp);
  return wakeUp;
}

/** Ends every pending approval with a group that this policy no longer contains, and wakes the held activities. */
export async function endUnasked(tx: Tx, policyId: string): Promise<void> {
  for (const { id } of await approvalStore.pendingUnder(tx, policyId)) {
    const row = await approvalStore.lock(tx, id);
    if (row?.status !== 'Pending') continue;
    const settled = await settleApproval(tx, row);
    if (settled.status !== 'Pending') await wakeHeld(tx, settled);
  }
}

/** True for an approval that ended because a policy no longer contains one of the approval's groups. */
export async function wasUnasked(reader: Reader, row: ApprovalEntity): Promise<boolean> {
  return row.status === 'Denied' && reasonOf(row, await approvalStore.votes(reader, [row.id])) === REASONS.unasked;
}

async function isStillAsked(tx: Tx, { groups }: ApprovalEntity): Promise<boolean> {
  const inForce = await policyStore.activeAmong(tx, [...new Set(groups.map(({ policyId }) => policyId))]);
  return areStillAsked(groups, inForce);
}

const REASONS = {
  denied: 'Denied by an approver',
  withdrawn: 'Withdrawn by its initiator',
  unasked: 'The approval groups were removed from their policy while the approval was pending',
  expired: 'The approval expired',
} as const;

function reasonOf({ status, withdrawnByAction }: ApprovalEntity, votes: readonly Vote[]): string | null {
  if (status === 'Expired') return REASONS.expired;
  if (status !== 'Denied') return null;
  if (withdrawnByAction !== null) return REASONS.withdrawn;
  return votes.some(({ value }) => value === 'Denied') ? REASONS.denied : REASONS.unasked;
}

async function tellResolved(tx: Tx, { id, version }: ApprovalEntity, approval: ApprovalView): Promise<void> {
  await eventStore.emit(tx, { kind: 'policy.approval.resolved', aggregateId: id, aggregateVersion: version, data: { approval } });
}
