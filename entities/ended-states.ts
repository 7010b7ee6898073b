import { SIGNATURE_DONE, SIGNATURE_FAILURES } from '../domain/signatures';
import { TRANSFER_ENDS, TRANSFER_FAILURES } from '../domain/transfers';

/**
 * The states are part of the statement's text, because otherwise Postgres could not use an index with a condition on the state.
 * State names consist only of letters, so they need no escaping.
 */
const listOf = (states: readonly string[]): string => `(${states.map((state) => `'${state}'`).join(', ')})`;

/** SQL for `state IN …` and `state NOT IN …`. */
export const ENDED_TRANSFERS = listOf(TRANSFER_ENDS);
export const FAILED_TRANSFERS = listOf(TRANSFER_FAILURES);
export const DONE_SIGNATURES = listOf(SIGNATURE_DONE);
export const FAILED_SIGNATURES = listOf(SIGNATURE_FAILURES);
