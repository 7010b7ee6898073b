import { expireApproval, readApprovalOutcome } from '../application/approvals';
import type { HoldStatus } from '../domain/judgements';
import type { SignatureRef } from '../domain/signatures';
import type { TransferRef } from '../domain/transfer-steps';
import type { Database, Tx } from '../entities/database';
import { carryOver } from './held-records';
import { signatureRecords } from './signature-records';
import { transferRecords } from './transfer-records';

type Dependencies = { readonly db: Database };
type HeldRef = TransferRef | SignatureRef;

/** Activities of the main queue by which the workflow of a held record learns what people decided. */
export function createHoldActivities({ db }: Dependencies) {
  const carry = (ref: HeldRef, approvalId: string, look: (tx: Tx, id: string) => ReturnType<typeof readApprovalOutcome>) =>
    db.withOrg(ref.orgId, async (tx) => {
      const standing = await look(tx, approvalId);
      return 'transferId' in ref
        ? carryOver(tx, transferRecords, { id: ref.transferId, approvalId }, standing)
        : carryOver(tx, signatureRecords, { id: ref.signatureId, approvalId }, standing);
    });

  return {
    /** What the approval stands at; a resolved one moves its record on in the same transaction. */
    readHold: (ref: HeldRef, approvalId: string): Promise<HoldStatus> => carry(ref, approvalId, readApprovalOutcome),

    /** Ends a hold whose time is over. A vote that was counted before wins, and the answer says so. */
    expireHold: (ref: HeldRef, approvalId: string): Promise<HoldStatus> => carry(ref, approvalId, expireApproval),
  };
}
