import { type ApprovalStanding, expireApproval, readApprovalOutcome } from '../application/approvals';
import { emitTransfer } from '../application/transfer-events';
import { invariant } from '../domain/errors';
import type { Hold, HoldStatus, TransferRef } from '../domain/transfer-steps';
import { ApprovalEntity } from '../entities/approvals/approval.entity';
import type { Database, Tx } from '../entities/database';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';

const REASONS = { Denied: 'Denied by an approver', Expired: 'The approval expired' } as const;

type Dependencies = { readonly db: Database };

/** Activities of the main queue by which a held transfer learns what people decided. */
export function createHoldActivities({ db }: Dependencies) {
  return {
    /** What the approval stands at; a resolved one moves the transfer on in the same transaction. */
    async readHold({ orgId, transferId }: TransferRef, approvalId: string): Promise<HoldStatus> {
      return db.withOrg(orgId, async (tx) =>
        carryOver(tx, { transferId, approvalId }, await readApprovalOutcome(tx, approvalId)),
      );
    },

    /** Ends a hold whose time is over. A vote that was counted before wins, and the answer says so. */
    async expireHold({ orgId, transferId }: TransferRef, approvalId: string): Promise<HoldStatus> {
      return db.withOrg(orgId, async (tx) => carryOver(tx, { transferId, approvalId }, await expireApproval(tx, approvalId)));
    },
  };
}

type HeldBy = { readonly transferId: string; readonly approvalId: string };

async function carryOver(tx: Tx, { transferId, approvalId }: HeldBy, standing: ApprovalStanding): Promise<HoldStatus> {
  if (standing.status === 'Pending') return standing;
  const row = await transferStore.lock(tx, transferId);
  // A late answer about an earlier approval says nothing about the one that holds the transfer now.
  if (row.state !== 'AwaitingApproval' || row.approvalId !== approvalId) return standing;
  const datePolicyResolved = await tx.clock();
  if (standing.status === 'Approved') {
    // The epoch of the judgement is dropped, so that the release is judged anew before a nonce is claimed (S9).
    await transferStore.approve(tx, row, { verdictId: row.verdictId, policyEpoch: null, datePolicyResolved });
  } else {
    const reason = REASONS[standing.status];
    await emitTransfer(tx, await transferStore.move(tx, row, 'Rejected', { reason, datePolicyResolved }));
  }
  return standing;
}

/** What people decided about a locked transfer while no workflow was there to hear it. */
export async function carryDecision(tx: Tx, { id: transferId, approvalId }: TransferEntity): Promise<void> {
  invariant(approvalId !== null, 'a transfer that awaits approval has one');
  const standing = await readApprovalOutcome(tx, approvalId);
  invariant(standing.status !== 'Pending', 'a pending approval holds its transfer');
  await carryOver(tx, { transferId, approvalId }, standing);
}

/** The hold of a transfer that waits already, for an activity that runs again; undefined when it is resolved. */
export async function pendingHold(tx: Tx, { approvalId }: TransferEntity): Promise<Hold | undefined> {
  if (approvalId === null) return undefined;
  const row = await tx.row(ApprovalEntity, 'WHERE t.id = $1', [approvalId]);
  const { status, groups } = await readApprovalOutcome(tx, approvalId);
  if (!row || status !== 'Pending') return undefined;
  const left = row.dateExpires === null ? undefined : Math.max(0, row.dateExpires.getTime() - (await tx.clock()).getTime());
  return { approvalId, groups, ...(left === undefined ? {} : { rejectsItselfAfterMs: left }) };
}
