import type { ChangeRef, ChangeStatus } from '../domain/change-requests';
import type { HoldGroup } from '../domain/judgements';
import type { SignatureRef } from '../domain/signatures';
import type { TransferRef } from '../domain/transfer-steps';

/** The workflow's type name. It must not change, because histories contain it. */
export const APPROVAL = 'approval';

/** The record that waits for the approval. The database transaction that ends the approval also advances the record. */
export type HeldRef = TransferRef | SignatureRef | ChangeRef;

/**
 * The result for a held record. `HeldAnew` means that a stricter policy requires another approval. Only the rows are
 * authoritative.
 */
export type ApprovalResult = 'Approved' | 'Denied' | 'Expired' | Exclude<ChangeStatus, 'Pending'> | 'HeldAnew';

/** `id` is the approval's id, which is also the workflow's id. */
export type ApprovalInput = {
  readonly orgId: string;
  readonly id: string;
  readonly held: HeldRef;
  readonly groups: readonly HoldGroup[];
  /** Milliseconds since 1970; absent if the approval never expires. */
  readonly deadlineMs?: number;
  /** When approvers are notified next; absent if no notice is due. */
  readonly noticeMs?: number;
};

export type ApprovalWorkflow = (input: ApprovalInput) => Promise<ApprovalResult>;
