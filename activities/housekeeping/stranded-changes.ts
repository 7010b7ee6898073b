import { restartChange } from '../../application/change-requests/release';
import { type DutyParts, restartingDuty } from './duty';

/**
 * Finds changes that wait for a decision of people but have no workflow to apply the decision. Each such change blocks every
 * other change of the same record.
 */
export const createChangeDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.pendingChanges, routingOf: restartChange, said: 'a pending change request' });
