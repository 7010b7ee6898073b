import { SIGNATURE_DONE, SIGNATURE_FAILURES } from '../domain/signatures';
import { TRANSFER_ENDS, TRANSFER_FAILURES } from '../domain/transfers';

/** State names are letters only, so they need no escape; statements that an index serves need them as text, not as a parameter. */
const listOf = (states: readonly string[]): string => `(${states.map((state) => `'${state}'`).join(', ')})`;

/** The lists of domain/ for `state IN …` and `state NOT IN …`. */
export const ENDED_TRANSFERS = listOf(TRANSFER_ENDS);
export const FAILED_TRANSFERS = listOf(TRANSFER_FAILURES);
export const DONE_SIGNATURES = listOf(SIGNATURE_DONE);
export const FAILED_SIGNATURES = listOf(SIGNATURE_FAILURES);
