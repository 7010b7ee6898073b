/** A transfer, named for an activity: ids only, everything else is read from the rows (S1). */
export type TransferRef = { readonly orgId: string; readonly transferId: string };

/** What an operator may read about a hold: no amounts, no addresses. */
export type HoldGroup = { readonly name: string | null; readonly quorum: number; readonly have: number };

export type Hold = {
  readonly approvalId: string;
  /** Milliseconds until the approval rejects itself, counted from the answer; absent means never. */
  readonly rejectsItselfAfterMs?: number;
  readonly groups: readonly HoldGroup[];
};

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold);

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};

/** `Waiting` is for a place in the sender's lane or for funds that open transfers still hold. */
export type Preparation = 'Ready' | 'Waiting' | 'FeeAboveCeiling' | 'PolicyChanged' | 'Failed';
