import { restartFreeze } from '../../application/freezes/put-freeze';
import { type DutyParts, restartingDuty } from './duty';

/** Finds freezes without a workflow, because the signer would never be notified of their release. */
export const createFreezeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.openFreezes, routingOf: restartFreeze, said: 'a freeze' });
