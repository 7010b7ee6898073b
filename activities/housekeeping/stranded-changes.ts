import { restartChange } from '../../application/change-requests/release';
import { type DutyParts, restartingDuty } from './duty';

/**
 * Finds changes that wait for people without a workflow to apply the decision: each blocks every other change of its record.
 */
export const createChangeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.pendingChanges, routingOf: restartChange, said: 'a pending change request' });
