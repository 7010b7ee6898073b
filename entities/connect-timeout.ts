/** How long a new connection to Postgres may take. An overloaded machine responds late, and giving up too early would make that an outage. */
export const CONNECT_TIMEOUT_MS = 15_000;
