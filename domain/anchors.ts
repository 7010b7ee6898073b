import { DAY_MS, MINUTE_MS } from './durations';

/** An anchor is a short text with which the signer dates a signed action. Each signed action stores its anchor. */
export const ANCHOR_CHARS_MAX = 192;

/** The API announces an action under the signer's newest anchor, or without an anchor if the newest anchor is older than this. */
export const ANCHOR_AGE_MS_MAX = MINUTE_MS;

/** An announced action must be signed and used within this time. */
export const ACTION_LIFE_MS_MAX = 10 * MINUTE_MS;

/**
 * The maximum age, under a charter, of the signed actions that authorise an order. The signer's clock measures the age from the
 * anchor.
 */
export const ACTION_AGE_MS_MAX = {
  /** The maximum age for an order that no policy of the charter holds. */
  unapproved: DAY_MS,
  /** The maximum age for a held order and its votes, unless a triggered policy has a time-out. */
  approved: 30 * DAY_MS,
  release: DAY_MS,
} as const;
