import { HOUR_MS, MINUTE_MS } from './durations';

/** Measured from the first attempt; the five attempts span 24 hours. */
const ATTEMPT_AFTER_MS = [0, MINUTE_MS, 12 * MINUTE_MS, 2 * HOUR_MS, 24 * HOUR_MS] as const;

export const ATTEMPTS_MAX = ATTEMPT_AFTER_MS.length;
export const WEBHOOKS_MAX = 5;
export const WEBHOOK_URL_LENGTH_MAX = 2_048;

/** The only HTTP status that confirms receipt. */
export const RECEIVED_STATUS = 200;

/** In milliseconds since 1970; undefined after the last attempt. */
export function attemptDueMs(firstAttemptMs: number, attempt: number): number | undefined {
  const afterMs = ATTEMPT_AFTER_MS[attempt - 1];
  return afterMs === undefined ? undefined : firstAttemptMs + afterMs;
}

/** The event about the retry of a failed delivery. The webhook that failed does not receive this event. */
export const RETRY_TRIGGERED = 'webhook.event.retry.triggered';
