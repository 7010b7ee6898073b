import type { ChangeRef, ChangeStatus } from '../domain/change-requests';
import type { HoldGroup } from '../domain/judgements';
import type { SignatureRef } from '../domain/signatures';
import type { TransferRef } from '../domain/transfer-steps';

/** Histories contain the name, so the name must not change. */
export const APPROVAL = 'approval';

/** The database transaction that ends the approval also advances the held record. */
export type HeldRef = TransferRef | SignatureRef | ChangeRef;

/**
 * `HeldAnew` means that a stricter policy requires another approval. The result only informs: the rows of the database are
 * authoritative.
 */
export type ApprovalResult = 'Approved' | 'Denied' | 'Expired' | Exclude<ChangeStatus, 'Pending'> | 'HeldAnew';

/** `id` is the id of the approval and of the workflow. */
export type ApprovalInput = {
  readonly orgId: string;
  readonly id: string;
  readonly held: HeldRef;
  readonly groups: readonly HoldGroup[];
  /** Milliseconds since 1970; absent if the approval never expires. */
  readonly deadlineMs?: number;
  /** Milliseconds since 1970; absent if no notice is planned. */
  readonly noticeMs?: number;
};

export type ApprovalWorkflow = (input: ApprovalInput) => Promise<ApprovalResult>;
