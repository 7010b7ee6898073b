import { type ApprovalStanding, expireApproval, reviewApproval } from '../../application/approvals/ends';
import { sendNotices } from '../../application/approvals/notices';
import type { Hold, HoldStatus } from '../../domain/judgements';
import type { SignatureRef } from '../../domain/signatures';
import type { TransferRef } from '../../domain/transfer-steps';
import type { Database, Tx } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';
import { signatureRecords } from '../signatures/records';
import { carryOver } from './held-records';
import { transferRecords } from './records';

type Dependencies = { readonly db: Database; readonly mailContents: SecretBox };
type HeldRef = TransferRef | SignatureRef;

export function createHoldActivities({ db, mailContents }: Dependencies) {
  const carry = (ref: HeldRef, approvalId: string, look: (tx: Tx, id: string) => Promise<ApprovalStanding>) =>
    db.withOrg(ref.orgId, async (tx): Promise<HoldStatus> => {
      const standing = await look(tx, approvalId);
      const { status, groups } =
        'transferId' in ref
          ? await carryOver(tx, transferRecords, { id: ref.transferId, approvalId }, standing)
          : await carryOver(tx, signatureRecords, { id: ref.signatureId, approvalId }, standing);
      return { status, groups };
    });

  return {
    /** A resolved approval advances its record in the same transaction. */
    readHold: (ref: HeldRef, approvalId: string): Promise<HoldStatus> => carry(ref, approvalId, reviewApproval),

    /** If a vote ended the approval before the expiry, returns the result of the vote. */
    expireHold: (ref: HeldRef, approvalId: string): Promise<HoldStatus> => carry(ref, approvalId, expireApproval),

    /** Sends the due notices. After an escalation earlier votes may decide the approval, which then wakes the workflow. */
    tellApprovers: ({ orgId }: { readonly orgId: string }, approvalId: string): Promise<Pick<Hold, 'nextNoticeInMs'>> =>
      db.withOrg(orgId, (tx) => sendNotices(tx, { mailContents }, approvalId)),
  };
}
