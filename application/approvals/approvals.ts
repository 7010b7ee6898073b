import type { ApprovalStatus, VoteValue } from '../../domain/approvals';
import type { Caller } from '../../domain/callers';
import { isCharterActivity } from '../../domain/charters';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { type ApprovalPage, approvalStore } from '../../entities/approvals/approval.store';
import type { Reader, Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import type { SecretBox } from '../../platform/secret-box';
import { voteOutcome } from '../../policy/approvals';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertVoteSeen } from '../user-actions/seen-actions';
import { actionInvalid } from '../user-actions/user-actions';
import { commitmentToAll } from './decision-digests';
import { count, settleApproval, wakeHeld, wasUnasked } from './ends';
import { signedRequestOf } from './signed-grounds';
import { type ApprovalView, approvalView } from './view';
import { hasOldCredentials } from './voter-credentials';
import { assertMayVote } from './voters';

export type Decision = { readonly value: VoteValue; readonly reason?: string | undefined };

const notFound = (approvalId: string) => new AppError('NotFound', 'approval not found', { approvalId });

/** Throws `NotFound`. */
export async function getApproval(reader: Reader, approvalId: string): Promise<ApprovalView> {
  const row = isId('approval', approvalId) ? await approvalStore.find(reader, approvalId) : undefined;
  if (!row) throw notFound(approvalId);
  return approvalView(row, await approvalStore.votes(reader, [approvalId]));
}

/** The digest that a decision must cover, the content that the digest covers, and the signed request (S2). Throws `NotFound`. */
export async function getApprovalEvidence(reader: Reader, signedBodies: SecretBox, approvalId: string) {
  const row = isId('approval', approvalId) ? await approvalStore.find(reader, approvalId) : undefined;
  if (!row) throw notFound(approvalId);
  const requested = await signedRequestOf(reader, signedBodies, row.activityId);
  return { approvalId, digest: row.digest, committed: row.committed, requested };
}

/** Lists the newest approval first. If there is a next page, the list contains one approval more than `limit`. */
export async function listApprovals(reader: Reader, page: ApprovalPage): Promise<ApprovalView[]> {
  const rows = await approvalStore.page(reader, page);
  const votes =
    rows.length === 0
      ? []
      : await approvalStore.votes(
          reader,
          rows.map(({ id }) => id),
        );
  return rows.map((row) =>
    approvalView(
      row,
      votes.filter(({ approvalId }) => approvalId === row.id),
    ),
  );
}

/**
 * Stores the caller's vote. Throws `NotFound`, `ApprovalClosed`, `AlreadyVoted` and `UserActionUsed`. Throws `Forbidden` if the
 * caller may not vote, or if the vote is an approval and the caller may only deny. Throws `UserActionInvalid` if the signature
 * does not cover the current content of the approval. Throws `UserActionNotSeen` if the charter forbids blind votes and an
 * approving vote was signed in a client that does not show the content.
 */
export async function decideApproval(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  approvalId: string,
  decision: Decision,
): Promise<ApprovalView> {
  const { orgId } = authority.caller;
  const { view, wakeUp } = await act(db, authority, async (tx, userActionId) => {
    const row = isId('approval', approvalId) ? await approvalStore.lock(tx, approvalId) : undefined;
    if (!row) throw notFound(approvalId);
    await assertSignedOver(tx, userActionId, row);
    return castVote(tx, row, { caller: authority.caller, userActionId, decision });
  });
  // The call is not awaited, because the vote is committed. If the call fails, the relay wakes the workflow.
  void dispatcher.tryNow(orgId, wakeUp);
  return view;
}

export type SeveralDecisions = readonly (Decision & { readonly approvalId: string })[];

export type Decided =
  | { readonly approvalId: string; readonly approval: ApprovalView }
  | { readonly approvalId: string; readonly error: AppError };

const INTERNAL = 500;

/**
 * Stores the caller's votes under one user action. A user action can be used only once, so one transaction writes all votes. A
 * refused decision writes nothing, and does not prevent the other votes. The outcomes are in the same order as `decisions`.
 * Throws `UserActionInvalid` if the signature does not cover the current content of the approvals.
 */
export async function decideApprovals(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  decisions: SeveralDecisions,
): Promise<readonly Decided[]> {
  const { caller } = authority;
  const { results, wakeUps } = await act(db, authority, async (tx, userActionId) => {
    const commitment = await commitmentToAll(
      tx,
      decisions.map(({ approvalId }) => approvalId),
    );
    if ((await actionOf(tx, userActionId))?.approvalDigest !== commitment.digest) throw actionInvalid();
    const made = new Map<string, Decided>();
    const wakeUps: Dispatch[] = [];
    // The approvals are locked in the order of their ids. Otherwise two callers who decide on the same approvals in different
    // orders could deadlock.
    for (const { approvalId, ...decision } of [...decisions].sort((one, other) => (one.approvalId < other.approvalId ? -1 : 1))) {
      try {
        const row = isId('approval', approvalId) ? await approvalStore.lock(tx, approvalId) : undefined;
        if (!row) throw notFound(approvalId);
        const { view, wakeUp } = await castVote(tx, row, { caller, userActionId, decision });
        made.set(approvalId, { approvalId, approval: view });
        wakeUps.push(wakeUp);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= INTERNAL) throw error;
        made.set(approvalId, { approvalId, error });
      }
    }
    return { results: decisions.flatMap(({ approvalId }) => made.get(approvalId) ?? []), wakeUps };
  });
  // The call is not awaited, because the votes are committed. If the call fails, the relay wakes the workflow.
  for (const wakeUp of wakeUps) void dispatcher.tryNow(caller.orgId, wakeUp);
  return results;
}

const actionOf = (tx: Tx, userActionId: string) => tx.row(UserActionEntity, 'WHERE t.id = $1', [userActionId]);

async function assertSignedOver(tx: Tx, userActionId: string, { digest }: ApprovalEntity): Promise<void> {
  if ((await actionOf(tx, userActionId))?.approvalDigest !== digest) throw actionInvalid();
}

type Ballot = { readonly caller: Caller; readonly userActionId: string; readonly decision: Decision };

/**
 * Throws `Forbidden` for an approving vote if a signing credential was added or changed after the request for approval.
 * `countableVotes` would ignore such a vote. Throws `UserActionNotSeen` for a blind vote, which the signer would ignore.
 */
async function assertCountable(tx: Tx, row: ApprovalEntity, { caller, userActionId, decision }: Ballot): Promise<void> {
  const action = decision.value === 'Approved' ? await actionOf(tx, userActionId) : undefined;
  if (!action) return;
  if (!(await hasOldCredentials(tx, row, action)))
    throw new AppError(
      'Forbidden',
      'user may deny this activity but not approve it: the credential is newer than the request for approval',
    );
  if (isCharterActivity(row.activityKind)) await assertVoteSeen(tx, caller, action);
}

const closed = (approvalId: string, status: ApprovalStatus) =>
  new AppError('ApprovalClosed', `approval is already ${status.toLowerCase()}`, { approvalId, status });

async function castVote(tx: Tx, row: ApprovalEntity, ballot: Ballot) {
  const { userActionId, decision } = ballot;
  const { userId } = ballot.caller;
  const { id: approvalId, groups, status } = row;
  const { value, reason = null } = decision;
  if (status !== 'Pending' && !(await wasUnasked(tx, row))) throw closed(approvalId, status);
  await assertMayVote(tx, row, userId, value);
  await assertCountable(tx, row, ballot);
  // If policies or earlier votes end the approval, this vote is not stored, and the caller receives the ended approval.
  const settled = await settleApproval(tx, row);
  if (settled.status !== 'Pending') {
    const view = approvalView(settled, await approvalStore.votes(tx, [approvalId]));
    return { view, wakeUp: await wakeHeld(tx, settled) };
  }
  const now = await tx.clock();
  // The workflow's timer may be late, but a vote after the expiry must not be accepted.
  if (row.dateExpires !== null && row.dateExpires <= now) throw closed(approvalId, 'Expired');
  if (!(await approvalStore.vote(tx, { approvalId, userId, value, reason, userActionId }))) {
    throw new AppError('AlreadyVoted', 'user has voted on this approval already', { approvalId });
  }
  const votes = await approvalStore.votes(tx, [approvalId]);
  const { row: counted, view } = await count(tx, row, voteOutcome(groups, votes, now));
  return { view, wakeUp: await wakeHeld(tx, counted) };
}
