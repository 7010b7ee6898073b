import { type ApprovalStanding, readApprovalOutcome } from '../application/approval-ends';
import { nextNotice } from '../application/approval-notices';
import type { Judgement as Verdict } from '../application/evaluate-activity';
import type { HeldApproval } from '../application/requested-approvals';
import { meetFreeze, type Reach } from '../application/standing-freezes';
import { invariant } from '../domain/errors';
import type { Hold, HoldStatus, Judgement } from '../domain/judgements';
import { ApprovalEntity } from '../entities/approvals/approval.entity';
import type { Reader, Tx } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';

/** What every record has that policies judge and people may hold. States are those of its own table. */
export type HeldRow = {
  readonly id: string;
  readonly state: string;
  readonly approvalId: string | null;
  readonly verdictId: string | null;
  readonly datePolicyResolved: Date | null;
};

type Judged = { readonly verdictId: string | null; readonly policyEpoch: number | null };

/** How the records of one sort are locked, and moved on with their events when a verdict or a vote decides about them. */
export type HeldRecords<R extends HeldRow> = {
  readonly lock: (tx: Tx, id: string) => Promise<R>;
  /** What of it may be frozen. */
  readonly reach: (reader: Reader, row: R) => Promise<Reach>;
  /** Held anew, so what an earlier approval had resolved is open again. */
  readonly hold: (tx: Tx, row: R, held: Judged & { readonly approvalId: string }) => Promise<void>;
  readonly approve: (tx: Tx, row: R, cleared: Judged & { readonly datePolicyResolved: Date }) => Promise<void>;
  readonly reject: (
    tx: Tx,
    row: R,
    rejected: Partial<Judged> & { readonly reason: string | null; readonly datePolicyResolved: Date },
  ) => Promise<void>;
};

/**
 * Judges a record under the policies in force and moves it on in the same transaction. Run again it answers what the row says
 * by then; `evaluate` is asked only while the row still waits for a verdict.
 */
export async function judgeRecord<R extends HeldRow>(
  tx: Tx,
  records: HeldRecords<R>,
  id: string,
  evaluate: (row: R) => Promise<Verdict>,
): Promise<Judgement> {
  const row = await records.lock(tx, id);
  if (row.state === 'Rejected' || row.state === 'Failed') return { outcome: 'Ended', state: row.state };
  if (row.state === 'AwaitingApproval') {
    const hold = await pendingHold(tx, row);
    if (hold) return { outcome: 'Held', ...hold };
    await carryDecision(tx, records, row);
    return judgeRecord(tx, records, id, evaluate);
  }
  if (row.state !== 'Requested' && row.state !== 'Approved') return { outcome: 'Cleared' };

  // Read before the freezes: one that commits behind that look then shows as a newer epoch, also where the verdict has seen it.
  const epoch = await organizationStore.policyEpoch(tx, tx.orgId);
  // Before anything is judged or asked of anybody: what is frozen waits, whatever the policies say.
  const frozen = await meetFreeze(tx, id, await records.reach(tx, row));
  if (frozen) return { outcome: 'Frozen', freezeId: frozen.frozenBy };
  const judged = await evaluate(row);
  if (judged.outcome === 'Asking') return { outcome: 'Asking', asks: judged.asks };
  const { outcome, verdictId, policyEpoch, approval, blockedReason } = judged;
  if (outcome === 'Held' && approval) {
    await records.hold(tx, row, { verdictId, policyEpoch, approvalId: approval.approvalId });
    return { outcome: 'Held', ...holdOf(approval) };
  }
  if (outcome === 'Blocked') {
    const datePolicyResolved = await tx.clock();
    await records.reject(tx, row, { verdictId, policyEpoch, reason: blockedReason, datePolicyResolved });
    return { outcome: 'Ended', state: 'Rejected' };
  }
  const datePolicyResolved = row.datePolicyResolved ?? (await tx.clock());
  await records.approve(tx, row, { verdictId, policyEpoch: epoch, datePolicyResolved });
  return { outcome: 'Cleared' };
}

type HeldBy = { readonly id: string; readonly approvalId: string };

/** Moves a record on by what its approval stands at; a pending one changes nothing. Answers the standing. */
export async function carryOver<R extends HeldRow>(
  tx: Tx,
  records: HeldRecords<R>,
  { id, approvalId }: HeldBy,
  standing: ApprovalStanding,
): Promise<HoldStatus> {
  if (standing.status === 'Pending') return standing;
  const row = await records.lock(tx, id);
  // A late answer about an earlier approval says nothing about the one that holds the record now.
  if (row.state !== 'AwaitingApproval' || row.approvalId !== approvalId) return standing;
  const datePolicyResolved = await tx.clock();
  if (standing.status === 'Approved') {
    // The epoch of the judgement is dropped, so that the release is judged anew before anything is signed (S9).
    await records.approve(tx, row, { verdictId: row.verdictId, policyEpoch: null, datePolicyResolved });
  } else {
    await records.reject(tx, row, { reason: standing.reason, datePolicyResolved });
  }
  return standing;
}

/** What people decided about a locked record while no workflow was there to hear it. */
async function carryDecision<R extends HeldRow>(tx: Tx, records: HeldRecords<R>, { id, approvalId }: R): Promise<void> {
  invariant(approvalId !== null, 'a record that awaits approval has one');
  const standing = await readApprovalOutcome(tx, approvalId);
  invariant(standing.status !== 'Pending', 'a pending approval holds its record');
  await carryOver(tx, records, { id, approvalId }, standing);
}

/** The hold of a record that waits already, for an activity that runs again; undefined when it is resolved. */
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
