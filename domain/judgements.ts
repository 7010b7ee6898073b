import type { ScreeningVendor } from './screenings';

/**
 * The mark of a workflow run whose first judgement is a local activity of Temporal. A run that was started by an earlier release
 * does not have the mark. Its first judgement goes through the main queue, because a replay must repeat the run's history.
 */
export const JUDGED_HERE = { judged: 'here' } as const;

/** Operators may read this part of a hold, so the part contains no amounts and no addresses. */
export type HoldGroup = {
  /** Absent in approvals that were stored before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly have: number;
};

export type Hold = {
  readonly approvalId: string;
  /** Counted from the moment of this hold; absent if the approval never expires. */
  readonly rejectsItselfAfterMs?: number;
  /** Counted from the moment of this hold; absent if no notice follows. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly HoldGroup[];
};

/**
 * A question that a vendor must answer before the judgement. `screeningId` or `messageId` is the id of the row with the content
 * of the question.
 */
export type Ask =
  | { readonly vendor: ScreeningVendor; readonly screeningId: string }
  | { readonly vendor: 'TravelRule'; readonly messageId: string };

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold)
  /** The activity is judged again when every vendor has answered or has failed. */
  | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  /** A possible duplicate. The activity fails `failsAfterMs` after this result, unless a person confirms the activity. */
  | { readonly outcome: 'Equal'; readonly equalToId: string; readonly failsAfterMs: number }
  /** The activity is judged again when the freeze is released. */
  | { readonly outcome: 'Frozen'; readonly freezeId: string };

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};
