import { restartChange } from '../../application/change-requests/release';
import { type DutyParts, restartingDuty } from './duty';

/** A pending change without a workflow blocks every other change of the same record. */
export const createChangeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.pendingChanges, routingOf: restartChange, said: 'a pending change request' });
