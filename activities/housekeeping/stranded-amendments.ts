import { restartAmendments } from '../../application/amendments/record-amendment';
import { type DutyParts, restartingDuty } from './duty';

/**
 * Starts the workflow of waiting amendments again if the workflow is missing. Only this workflow offers amendments to the signer.
 */
export const createAmendmentDuty = (parts: DutyParts) =>
  restartingDuty(parts, {
    find: parts.housekeeping.waitingAmendments,
    routingOf: restartAmendments,
    said: 'the waiting amendments of a charter',
  });
