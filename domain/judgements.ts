import type { ScreeningVendor } from './screenings';

/**
 * The mark of a workflow run whose first judgement is a local activity of Temporal. Older runs lack this mark. The first
 * judgement of an older run goes through the main queue, because a replay must repeat the steps of the run's history.
 */
export const JUDGED_HERE = { judged: 'here' } as const;

/** The part of a hold that operators may read; it contains no amounts and no addresses. */
export type HoldGroup = {
  /** The id of the group in its policy; absent in approvals that were stored before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly have: number;
};

export type Hold = {
  readonly approvalId: string;
  /** Milliseconds until the approval expires, counted from this result; absent means never. */
  readonly rejectsItselfAfterMs?: number;
  /** Milliseconds until the next notice to approvers, counted from this result; absent if no notice follows. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly HoldGroup[];
};

/**
 * A question that a vendor must answer before the activity can be judged. `screeningId` or `messageId` is the id of the row
 * with the content of the question.
 */
export type Ask =
  | { readonly vendor: ScreeningVendor; readonly screeningId: string }
  | { readonly vendor: 'TravelRule'; readonly messageId: string };

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold)
  /** The activity is judged again when, for every question, the vendor has answered or has failed. */
  | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  /**
   * A possible duplicate. If a person confirms the activity, the activity is then judged. Otherwise the activity fails
   * `failsAfterMs` after this result.
   */
  | { readonly outcome: 'Equal'; readonly equalToId: string; readonly failsAfterMs: number }
  /** The activity is judged again when the freeze is released. */
  | { readonly outcome: 'Frozen'; readonly freezeId: string };

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};
