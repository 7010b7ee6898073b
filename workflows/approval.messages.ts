import type { ChangeRef, ChangeStatus } from '../domain/change-requests';
import type { HoldGroup } from '../domain/judgements';
import type { SignatureRef } from '../domain/signatures';
import type { TransferRef } from '../domain/transfer-steps';

/** The workflow's type name: it stands in histories. */
export const APPROVAL = 'approval';

/** The record that waits for the approval, and moves on in the transaction that ends it. */
export type HeldRef = TransferRef | SignatureRef | ChangeRef;

/** What a held record came to; `HeldAnew` where a stricter policy asks for another approval. Rows say what counts. */
export type ApprovalResult = 'Approved' | 'Denied' | 'Expired' | Exclude<ChangeStatus, 'Pending'> | 'HeldAnew';

/** `id` is the approval's id, which is also the workflow's. */
export type ApprovalInput = {
  readonly orgId: string;
  readonly id: string;
  readonly held: HeldRef;
  readonly groups: readonly HoldGroup[];
  /** Milliseconds since 1970; absent where it never expires. */
  readonly deadlineMs?: number;
  /** When approvers are told next; absent where no notice is to come. */
  readonly noticeMs?: number;
};

export type ApprovalWorkflow = (input: ApprovalInput) => Promise<ApprovalResult>;
