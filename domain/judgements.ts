import type { ScreeningVendor } from './screenings';

/**
 * Stands in the start of a run that is judged within the workflow's own task first. Runs that began without it are judged by the main
 * queue alone, which their histories say.
 */
export const JUDGED_HERE = { judged: 'here' } as const;

/** What an operator may read about a hold: no amounts, no addresses. */
export type HoldGroup = {
  /** The id of the group in its policy; absent where approval was requested before groups had ids. */
  readonly groupId?: string;
  readonly name: string | null;
  readonly quorum: number;
  readonly have: number;
};

export type Hold = {
  readonly approvalId: string;
  /** Milliseconds until the approval rejects itself, counted from the answer; absent means never. */
  readonly rejectsItselfAfterMs?: number;
  /** Milliseconds until the next notice to approvers, counted likewise; absent where none is to come. */
  readonly nextNoticeInMs?: number;
  readonly groups: readonly HoldGroup[];
};

/** Something that has to be asked of a vendor before the activity can be judged; the row says what. */
export type Ask =
  | { readonly vendor: ScreeningVendor; readonly screeningId: string }
  | { readonly vendor: 'TravelRule'; readonly messageId: string };

export type Judgement =
  | { readonly outcome: 'Cleared' }
  | { readonly outcome: 'Ended'; readonly state: 'Rejected' | 'Failed' }
  | ({ readonly outcome: 'Held' } & Hold)
  /** Judged again when each of these has an answer, be it that the vendor failed. */
  | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  /** Judged when somebody confirms that it is meant besides the other one; fails after so many milliseconds, counted from the answer. */
  | { readonly outcome: 'Equal'; readonly equalToId: string; readonly failsAfterMs: number }
  /** Judged again when the freeze is released. */
  | { readonly outcome: 'Frozen'; readonly freezeId: string };

export type HoldStatus = {
  readonly status: 'Pending' | 'Approved' | 'Denied' | 'Expired';
  readonly groups: readonly HoldGroup[];
};
