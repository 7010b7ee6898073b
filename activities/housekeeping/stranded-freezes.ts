import { restartFreeze } from '../../application/freezes/put-freeze';
import { type HouseParts, restartingDuty } from './duty';

/** Finds freezes with no workflow to tell the signer: it would never hear of their release. */
export const createFreezeDuty = (parts: HouseParts) =>
  restartingDuty(parts, { find: parts.house.openFreezes, routingOf: restartFreeze, said: 'a freeze' });
