import { restartChange } from '../../application/change-requests/release';
import { type DutyParts, restartingDuty } from './duty';

/** Finds changes that wait for people with no workflow to hear them: each keeps every other change of its record away. */
export const createChangeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.pendingChanges, routingOf: restartChange, said: 'a pending change request' });
