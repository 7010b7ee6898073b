import { SIGNATURE_DONE, SIGNATURE_FAILURES } from '../domain/signatures';
import { TRANSFER_ENDS, TRANSFER_FAILURES } from '../domain/transfers';

/**
 * SQL: a list of states. State names need no escaping, because they are letters only. State names must not be parameters. Some
 * indexes have a condition on the state. Postgres uses such an index only if the text of the statement contains the states.
 */
const listOf = (states: readonly string[]): string => `(${states.map((state) => `'${state}'`).join(', ')})`;

/** The lists of states in domain/, as SQL for `state IN …` and `state NOT IN …`. */
export const ENDED_TRANSFERS = listOf(TRANSFER_ENDS);
export const FAILED_TRANSFERS = listOf(TRANSFER_FAILURES);
export const DONE_SIGNATURES = listOf(SIGNATURE_DONE);
export const FAILED_SIGNATURES = listOf(SIGNATURE_FAILURES);
