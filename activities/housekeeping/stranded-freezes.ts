import { restartFreeze } from '../../application/freezes/put-freeze';
import { type DutyParts, restartingDuty } from './duty';

/** Without a workflow, the signer would hear neither of a freeze nor of the release. */
export const createFreezeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.openFreezes, routingOf: restartFreeze, said: 'a freeze' });
