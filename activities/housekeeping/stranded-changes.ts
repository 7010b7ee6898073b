import { restartChange } from '../../application/change-requests/release';
import { type HouseParts, restartingDuty } from './duty';

/** Finds changes that wait for people with no workflow to hear them: each keeps every other change of its record away. */
export const createChangeDuty = (parts: HouseParts) =>
  restartingDuty(parts, { find: parts.house.pendingChanges, routingOf: restartChange, said: 'a pending change request' });
