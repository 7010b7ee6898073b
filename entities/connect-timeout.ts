/**
 * This time-out is long, because an overloaded machine responds late, and a short time-out would turn the delay into an outage.
 */
export const CONNECT_TIMEOUT_MS = 15_000;
