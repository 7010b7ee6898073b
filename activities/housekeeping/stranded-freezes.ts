import { restartFreeze } from '../../application/freezes/put-freeze';
import { type DutyParts, restartingDuty } from './duty';

/**
 * Starts the workflow of a freeze again if the workflow is missing. Only this workflow reports the freeze and its release to the
 * signer.
 */
export const createFreezeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.openFreezes, routingOf: restartFreeze, said: 'a freeze' });
