import { DAY_MS, SECOND_MS } from './durations';

/** The longest life of a token that a program holds, in days. */
export const TOKEN_DAYS_MAX = 730;
export const TOKEN_SECONDS_MAX = (TOKEN_DAYS_MAX * DAY_MS) / SECOND_MS;
/** The life of a token whose maker named none, in days. */
export const TOKEN_DAYS_DEFAULT = 365;

export type Validity = { readonly daysValid?: number | undefined; readonly secondsValid?: number | undefined };

/** How long a token lives, in milliseconds. Seconds win over days, as the more exact wish. */
export function lifetimeMs({ daysValid = TOKEN_DAYS_DEFAULT, secondsValid }: Validity): number {
  return secondsValid === undefined ? daysValid * DAY_MS : secondsValid * SECOND_MS;
}
