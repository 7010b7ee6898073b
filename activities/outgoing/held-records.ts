import { type ApprovalStanding, readApprovalOutcome } from '../../application/approvals/ends';
import { nextNotice } from '../../application/approvals/notices';
import type { HeldApproval } from '../../application/approvals/request-approval';
import { type ApprovedGrounds, type Approving, whyNotApproved } from '../../application/approvals/what-was-approved';
import { registerFreezeWaiter } from '../../application/freezes/active-freezes';
import type { PolicyEvaluation as Verdict } from '../../application/policies/evaluate-activity';
import { invariant } from '../../domain/errors';
import type { Hold, HoldStatus, Judgement } from '../../domain/judgements';
import { ApprovalEntity } from '../../entities/approvals/approval.entity';
import type { Reader, Tx } from '../../entities/database';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { organizationStore, type PolicyStand } from '../../entities/organizations/organization.store';

/** A record that policies judge and that may wait for people. */
export type HeldRow = {
  readonly id: string;
  readonly state: string;
  readonly approvalId: string | null;
  readonly verdictId: string | null;
  readonly datePolicyResolved: Date | null;
  readonly policyEpoch: number | null;
  readonly reason: string | null;
};

type Judged = { readonly verdictId: string | null; readonly policyEpoch: number | null };

export type HeldRecords<R extends HeldRow> = {
  readonly lock: (tx: Tx, id: string) => Promise<R>;
  readonly freeze: (reader: Reader, row: R) => Promise<FreezeEntity | undefined>;
  readonly grounds: (reader: Reader, row: R) => Promise<ApprovedGrounds>;
  /** Also clears `datePolicyResolved`, because an earlier hold may have set it. */
  readonly hold: (tx: Tx, row: R, held: Judged & { readonly approvalId: string }) => Promise<void>;
  readonly approve: (tx: Tx, row: R, cleared: Judged & { readonly datePolicyResolved: Date }) => Promise<void>;
  readonly reject: (
    tx: Tx,
    row: R,
    rejected: Partial<Judged> & { readonly reason: string | null; readonly datePolicyResolved: Date },
  ) => Promise<void>;
  /** Called only for a record without claims. */
  readonly fail: (tx: Tx, row: R, reason: string) => Promise<void>;
  /** Called only for a record that has taken its claims. `reason` is set if the record may not proceed. */
  readonly rejudge: (tx: Tx, row: R, judged: Judged & { readonly reason: string | null }) => Promise<void>;
};

/**
 * Judges a record under the policies in force and advances the record in the same transaction. A repeated run returns the
 * outcome in the row. Calls `evaluate` only while the row waits for a verdict. A row that has taken its claims keeps the claims,
 * because only the signer can tell whether the record may still end. For a row with claims, `Cleared` means that the order is
 * sent to the signer next, whatever the verdict is.
 */
export async function judgeRecord<R extends HeldRow>(
  tx: Tx,
  records: HeldRecords<R>,
  id: string,
  { evaluate, signedBodies, onAltered }: Judge<R>,
): Promise<Judgement> {
  // The policy epoch is read before the freezes. If a freeze commits in between, the row gets the older epoch and is judged
  // again later.
  const [row, stand] = await Promise.all([records.lock(tx, id), organizationStore.policyStand(tx)]);
  if (row.state === 'Rejected' || row.state === 'Failed') return { outcome: 'Ended', state: row.state };
  if (row.state === 'AwaitingApproval') {
    const hold = await pendingHold(tx, row);
    if (hold) return { outcome: 'Held', ...hold };
    await carryDecision(tx, records, row);
    return judgeRecord(tx, records, id, { evaluate, signedBodies, onAltered });
  }
  if (row.state !== 'Requested' && row.state !== 'Approved' && row.state !== 'Signing') return { outcome: 'Cleared' };

  const { policyEpoch } = stand;
  const isClaimed = row.state === 'Signing';
  if (isClaimed && row.policyEpoch === policyEpoch) return { outcome: 'Cleared' };
  // A frozen record waits, whatever the policies would decide.
  const [frozen, now] = await Promise.all([registerFreezeWaiter(tx, id, () => records.freeze(tx, row)), tx.clock()]);
  if (frozen) return { outcome: 'Frozen', freezeId: frozen.frozenBy };
  const altered = isClaimed ? undefined : await whyNotApproved(tx, await records.grounds(tx, row), { signedBodies });
  if (altered !== undefined) {
    await records.fail(tx, row, altered);
    onAltered?.({ orgId: tx.orgId, id }, altered);
    return { outcome: 'Ended', state: 'Failed' };
  }
  const judged = await evaluate(row, stand);
  if (judged.outcome === 'Asking') return { outcome: 'Asking', asks: judged.asks };
  const { outcome, verdictId, approval, blockedReason } = judged;
  if (isClaimed) {
    await records.rejudge(tx, row, { verdictId, policyEpoch, reason: blockedReason });
    return { outcome: 'Cleared' };
  }
  if (outcome === 'Held' && approval) {
    await records.hold(tx, row, { verdictId, policyEpoch, approvalId: approval.approvalId });
    return { outcome: 'Held', ...holdOf(approval) };
  }
  if (outcome === 'Blocked') {
    await records.reject(tx, row, { verdictId, policyEpoch, reason: blockedReason, datePolicyResolved: now });
    return { outcome: 'Ended', state: 'Rejected' };
  }
  await records.approve(tx, row, { verdictId, policyEpoch, datePolicyResolved: row.datePolicyResolved ?? now });
  return { outcome: 'Cleared' };
}

type Judge<R> = Approving & { readonly evaluate: (row: R, stand: PolicyStand) => Promise<Verdict> };
type HeldBy = { readonly id: string; readonly approvalId: string };

/** Advances the record by the outcome of its approval. A pending approval changes nothing. */
export async function carryOver<R extends HeldRow>(
  tx: Tx,
  records: HeldRecords<R>,
  { id, approvalId }: HeldBy,
  standing: ApprovalStanding,
): Promise<HoldStatus> {
  if (standing.status === 'Pending') return standing;
  const row = await records.lock(tx, id);
  // A late result of an earlier approval must not decide the approval that holds the record now.
  if (row.state !== 'AwaitingApproval' || row.approvalId !== approvalId) return standing;
  const datePolicyResolved = await tx.clock();
  if (standing.status === 'Approved') {
    // Clears the policy epoch, because the record must be judged again before anything is signed (S9).
    await records.approve(tx, row, { verdictId: row.verdictId, policyEpoch: null, datePolicyResolved });
  } else {
    await records.reject(tx, row, { reason: standing.reason, datePolicyResolved });
  }
  return standing;
}

/** Applies a decision that was made while no workflow waited for the decision. */
async function carryDecision<R extends HeldRow>(tx: Tx, records: HeldRecords<R>, { id, approvalId }: R): Promise<void> {
  invariant(approvalId !== null, 'a record that awaits approval has one');
  const standing = await readApprovalOutcome(tx, approvalId);
  invariant(standing.status !== 'Pending', 'a pending approval holds its record');
  await carryOver(tx, records, { id, approvalId }, standing);
}

/** Returns undefined if the hold is already resolved. */
async function pendingHold(tx: Tx, { approvalId }: HeldRow): Promise<Hold | undefined> {
  if (approvalId === null) return undefined;
  const row = await tx.row(ApprovalEntity, 'WHERE t.id = $1', [approvalId]);
  const { status, groups } = await readApprovalOutcome(tx, approvalId);
  if (!row || status !== 'Pending') return undefined;
  const now = await tx.clock();
  const left = row.dateExpires === null ? undefined : Math.max(0, row.dateExpires.getTime() - now.getTime());
  const told = await nextNotice(tx, approvalId, now);
  return { approvalId, groups, ...(left === undefined ? {} : { rejectsItselfAfterMs: left }), ...told };
}

const holdOf = ({ dateExpires: _forPeople, rejectsItselfAfterMs, ...held }: HeldApproval): Hold => ({
  ...held,
  ...(rejectsItselfAfterMs === null ? {} : { rejectsItselfAfterMs }),
});
