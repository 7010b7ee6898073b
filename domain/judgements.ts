import type { ScreeningVendor } from './screenings';

/**
 * Marks a workflow run whose first judgement is a local activity of Temporal. A run that an earlier release started does not have
 * the mark. The first judgement of such a run goes through the main queue, because a replay must repeat the run's history.
 */
export const JUDGED_HERE = { judged: 'here' } as const;

/** The part of a hold that operators may read, so it contains no amounts and no addresses. */
export type HoldGroup = {
  /** Absent in approvals that were stored before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly have: number;
};

export type Hold = {
  readonly approvalId: string;
  /** Measured from the moment of this hold; absent if the approval never expires. */
  readonly rejectsItselfAfterMs?: number;
  /** Measured from the moment of this hold; absent if no notice follows. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly HoldGroup[];
};

/**
 * A query to which a vendor must respond before the judgement. `screeningId` or `messageId` is the id of the row with the content
 * of the query.
 */
export type Ask =
  | { readonly vendor: ScreeningVendor; readonly screeningId: string }
  | { readonly vendor: 'TravelRule'; readonly messageId: string };

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold)
  /** The activity is judged again when every vendor has responded or has failed. */
  | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  /** A possible duplicate. The activity fails `failsAfterMs` after this result, unless a person confirms the activity. */
  | { readonly outcome: 'Equal'; readonly equalToId: string; readonly failsAfterMs: number }
  /** The activity is judged again when the freeze is released. */
  | { readonly outcome: 'Frozen'; readonly freezeId: string };

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};
