import type { ScreeningVendor } from './screenings';

/**
 * Marks the start of a run whose first judgement is a local activity. Runs that began without the mark are judged on the main queue, as their
 * histories require.
 */
export const JUDGED_HERE = { judged: 'here' } as const;

/** The part of a hold that an operator may read: no amounts, no addresses. */
export type HoldGroup = {
  /** The id of the group in its policy; absent where approval was requested before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly have: number;
};

export type Hold = {
  readonly approvalId: string;
  /** Milliseconds until the approval expires, counted from this result; absent means never. */
  readonly rejectsItselfAfterMs?: number;
  /** Milliseconds until the next notice to approvers, counted likewise; absent if none is to come. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly HoldGroup[];
};

/** A question for a vendor that must be answered before the activity can be judged; the row has its content. */
export type Ask =
  | { readonly vendor: ScreeningVendor; readonly screeningId: string }
  | { readonly vendor: 'TravelRule'; readonly messageId: string };

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold)
  /** Judged again when each of these has an answer, even if that is the vendor's failure. */
  | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  /** Looks like a duplicate: judged when a person confirms it; fails after this many milliseconds, counted from this result. */
  | { readonly outcome: 'Equal'; readonly equalToId: string; readonly failsAfterMs: number }
  /** Judged again when the freeze is released. */
  | { readonly outcome: 'Frozen'; readonly freezeId: string };

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};
