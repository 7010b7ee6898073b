/** An overloaded machine responds late, and a short timeout would turn the delay into an outage. */
export const CONNECT_TIMEOUT_MS = 15_000;
