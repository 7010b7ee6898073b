import { DAY_MS, SECOND_MS } from './durations';

export const TOKEN_DAYS_MAX = 730;
export const TOKEN_SECONDS_MAX = (TOKEN_DAYS_MAX * DAY_MS) / SECOND_MS;
export const TOKEN_DAYS_DEFAULT = 365;

export type Validity = { readonly daysValid?: number | undefined; readonly secondsValid?: number | undefined };

/** Seconds take precedence over days, because seconds are more exact. */
export function lifetimeMs({ daysValid = TOKEN_DAYS_DEFAULT, secondsValid }: Validity): number {
  return secondsValid === undefined ? daysValid * DAY_MS : secondsValid * SECOND_MS;
}
