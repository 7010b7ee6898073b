import { restartBackfill } from '../../application/backfills/start-backfill';
import { type DutyParts, restartingDuty } from './duty';

/** Starts the workflow of a back-fill again if the workflow is missing. The back-fill continues at its next block. */
export const createBackfillDuty = (parts: DutyParts) =>
  restartingDuty(parts, { find: parts.housekeeping.openBackfills, routingOf: restartBackfill, said: 'a back-fill' });
