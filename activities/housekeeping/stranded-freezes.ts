import { restartFreeze } from '../../application/freezes/put-freeze';
import { type DutyParts, restartingDuty } from './duty';

/** Finds freezes without a workflow to tell the signer: it would never learn of their release. */
export const createFreezeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.openFreezes, routingOf: restartFreeze, said: 'a freeze' });
