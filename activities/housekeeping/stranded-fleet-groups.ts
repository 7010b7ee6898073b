import { restartGroup } from '../../application/fleets/create-group';
import { type DutyParts, restartingDuty } from './duty';

/** Starts the workflow of an open group again if the workflow is missing. The rows say which step is next. */
export const createFleetDuty = (parts: DutyParts) =>
  restartingDuty(parts, {
    find: parts.housekeeping.openFleetGroups,
    routingOf: restartGroup,
    said: 'a group of fleet operations',
  });
