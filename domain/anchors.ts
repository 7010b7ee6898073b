import { DAY_MS, MINUTE_MS } from './durations';

/** An anchor is short, so that every signed action can keep the one that it was signed under. */
export const ANCHOR_CHARS_MAX = 192;

/** The API announces an action under an anchor of at most this age, and under none if the signer gave no newer one. */
export const ANCHOR_AGE_MS_MAX = MINUTE_MS;

/** The service lets an action be signed and used within this time after it was announced. */
export const ACTION_LIFE_MS_MAX = 10 * MINUTE_MS;

/** Under a charter, the greatest age of the actions behind an order, by the signer's clock and from their anchors. */
export const ACTION_AGE_MS_MAX = {
  /** For an order that no policy of the charter holds. */
  unapproved: DAY_MS,
  /** For a held order and its votes, unless a triggered policy has a time-out. */
  approved: 30 * DAY_MS,
  release: DAY_MS,
} as const;
