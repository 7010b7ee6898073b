/** How long a new connection to Postgres may take. A machine that is short of CPU responds late, and a refusal then is an outage. */
export const CONNECT_TIMEOUT_MS = 15_000;
